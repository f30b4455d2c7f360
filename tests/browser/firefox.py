"""firefox.py  Drives Firefox by WebDriver BiDi, with Python's standard library alone: what browser.py says of Chromium.

python3 firefox.py: status 0 if there is a Firefox. The protocol is JSON over a WebSocket (RFC 6455), which the browser opens on a port
of this machine that it says on its standard error. Of files that are opened it reports no request: b.requests has them as they
are navigated to."""

import base64
import json
import os
import pathlib
import re
import select
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time

from browser import Browser, Failure, Refused

PROGRAMS = ('firefox-esr', 'firefox')
PREFS = {'browser.shell.checkDefaultBrowser': False, 'browser.startup.page': 0, 'datareporting.policy.dataSubmissionEnabled': False,
         'app.update.enabled': False, 'browser.download.folderList': 2, 'browser.download.useDownloadDir': True,
         'browser.download.always_ask_before_handling_new_types': False, 'browser.download.alwaysOpenPanel': False,
         'browser.download.start_downloads_in_tmp_dir': False, 'layout.css.prefers-color-scheme.content-override': 1, 'dom.disable_open_during_load': False,
         'extensions.systemAddon.update.enabled': False, 'network.captive-portal-service.enabled': False,
         'network.connectivity-service.enabled': False, 'gfx.webrender.software': True}
KEYS = {'Enter': '\ue007', 'Escape': '\ue00c', 'ArrowLeft': '\ue012', 'ArrowUp': '\ue013', 'ArrowRight': '\ue014', 'ArrowDown': '\ue015'}
SHIFT = '\ue008'


def program():
    """The browser's program, or None."""
    return next((p for p in map(shutil.which, PROGRAMS) if p), None)


class Firefox(Browser):
    def __init__(self, seconds=300):
        self.folder = tempfile.mkdtemp(prefix='knng-browser-')
        self.seconds = seconds
        self.console, self.requests = [], []
        self.count, self.rest, self.message = 0, b'', b''
        self.night, self.held = False, False
        self.folder_of_files = pathlib.Path(self.folder) / 'saved'
        self.folder_of_files.mkdir()
        prefs = dict(PREFS, **{'browser.download.dir': str(self.folder_of_files)})
        lines = ''.join(f'user_pref({json.dumps(k)}, {json.dumps(v)});\n' for k, v in prefs.items())
        (pathlib.Path(self.folder) / 'user.js').write_text(lines)
        with open(os.path.join(self.folder, 'said'), 'wb') as said:
            self.process = subprocess.Popen([program(), '--headless', '--no-remote', '--profile', self.folder, '--remote-debugging-port=0', 'about:blank'],
                                            stdin=subprocess.DEVNULL, stdout=said, stderr=said, env=dict(os.environ, HOME=self.folder))
        self.connect(*self.address())
        self.call('session.new', capabilities={'alwaysMatch': {'acceptInsecureCerts': False}})
        self.context = self.call('browsingContext.getTree')['contexts'][0]['context']
        self.call('session.subscribe', events=['log.entryAdded', 'network.beforeRequestSent'])

    def address(self):
        end = time.monotonic() + self.seconds
        while time.monotonic() < end and self.process.poll() is None:
            said = re.search(r'ws://([\d.]+|localhost):(\d+)', pathlib.Path(self.folder, 'said').read_text(errors='replace'))
            if said:
                return said[1], int(said[2])
            time.sleep(0.05)
        raise Failure('Firefox does not say where it listens')

    def __exit__(self, *_):
        try:
            self.call('browser.close')
            self.process.wait(60)
        except (Failure, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        self.socket.close()
        for _ in range(50):
            shutil.rmtree(self.folder, ignore_errors=True)
            if not os.path.exists(self.folder):
                break
            time.sleep(0.1)

    # ---- the protocol
    def connect(self, host, port):
        self.socket = socket.create_connection((host, port), self.seconds)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f'GET /session HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n'
                             f'Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n').encode())
        while b'\r\n\r\n' not in self.rest:
            self.more(self.seconds)
        head, self.rest = self.rest.split(b'\r\n\r\n', 1)
        if b' 101 ' not in head:
            raise Failure(f'Firefox refuses: {head}')

    def more(self, seconds):
        if not select.select([self.socket], [], [], seconds)[0]:
            raise Failure(f'the browser has said nothing for {seconds} s')
        part = self.socket.recv(1 << 20)
        if not part:
            raise Failure('the browser has ended')
        self.rest += part

    def send(self, kind, data):
        """A frame, masked, as clients have to."""
        mask = os.urandom(4)
        length = len(data)
        head = bytes([0x80 | kind, 0x80 | (length if length < 126 else 126 if length < 65536 else 127)])
        head += b'' if length < 126 else struct.pack('>H' if length < 65536 else '>Q', length)
        whole = int.from_bytes(data, 'big') ^ int.from_bytes((mask * (length // 4 + 1))[:length], 'big')
        self.socket.sendall(head + mask + whole.to_bytes(length, 'big'))

    def frame(self, seconds):
        """The next frame: whether it is a message's last, its kind, its data."""
        def need(count):
            while len(self.rest) < count:
                self.more(seconds)
        need(2)
        length, at = self.rest[1] & 127, 2
        if length >= 126:
            at = 4 if length == 126 else 10
            need(at)
            length = int.from_bytes(self.rest[2:at], 'big')
        need(at + length)
        first, data = self.rest[0], self.rest[at:at + length]
        self.rest = self.rest[at + length:]
        return bool(first & 0x80), first & 15, data

    def receive(self, seconds):
        while True:
            last, kind, data = self.frame(seconds)
            if kind == 9:                                     # ping
                self.send(10, data)
            elif kind == 8:
                raise Failure('the browser has ended')
            elif kind in (0, 1):
                self.message += data
                if last:
                    message, self.message = json.loads(self.message), b''
                    self.note(message.get('method'), message.get('params', {}))
                    return message

    def call(self, method, **params):
        self.count += 1
        self.send(1, json.dumps({'id': self.count, 'method': method, 'params': params}).encode())
        while True:
            answer = self.receive(self.seconds)
            if answer.get('id') == self.count:
                if answer.get('type') == 'error':
                    raise Refused(f"{method}: {answer['error']}: {answer['message']}")
                return answer['result']

    def note(self, method, params):
        if method == 'network.beforeRequestSent' and not params['request']['url'].startswith('file:'):
            self.requests.append(params['request']['url'])
        elif method == 'log.entryAdded':
            self.console.append(str(params['text']))

    # ---- the page
    def size(self, width, height, touch=False, scale=1):
        self.call('browsingContext.setViewport', context=self.context, viewport={'width': width, 'height': height}, devicePixelRatio=scale)

    def dark(self, on):
        self.night = on

    def paper(self, on):
        return False

    def navigate(self, url):
        self.call('browsingContext.navigate', context=self.context, url=url, wait='none')
        if url.startswith('file:'):
            self.requests.append(url)

    def open(self, path, address='', ready='document.documentElement?.dataset.ready'):
        super().open(path, address, ready)
        if self.night:
            self.value("typeof setTheme === 'function' && page.data && setTheme('dark')")

    def reload(self, ready='document.documentElement?.dataset.ready'):
        self.value('window.before = true')
        self.call('browsingContext.reload', context=self.context, wait='none')
        self.until(f'!window.before && ({ready})')

    def value(self, code):
        code = f'(async () => JSON.stringify(await ({code})))()'
        answer = self.call('script.evaluate', expression=code, target={'context': self.context}, awaitPromise=True, userActivation=True)
        if answer['type'] == 'exception':
            raise Refused(code + ': ' + answer['exceptionDetails']['text'])
        return json.loads(answer['result']['value']) if answer['result']['type'] == 'string' else None

    def act(self, *sources):
        self.call('input.performActions', context=self.context, actions=list(sources))

    def mouse(self, kind, x, y, buttons=0, shift=False):
        if shift != self.held:
            self.held = shift
            self.act({'type': 'key', 'id': 'keys', 'actions': [{'type': 'keyDown' if shift else 'keyUp', 'value': SHIFT}]})
        x, y = max(0, x), max(0, y)                           # a place outside of the window is refused
        what = {'Moved': [], 'Pressed': [{'type': 'pointerDown', 'button': 0}], 'Released': [{'type': 'pointerUp', 'button': 0}]}[kind]
        self.act({'type': 'pointer', 'id': 'mouse', 'parameters': {'pointerType': 'mouse'},
                  'actions': [{'type': 'pointerMove', 'x': round(x), 'y': round(y)}] * (kind == 'Moved') + what})
        if shift and kind == 'Released':
            self.held = False
            self.act({'type': 'key', 'id': 'keys', 'actions': [{'type': 'keyUp', 'value': SHIFT}]})

    def wheel(self, x, y, delta):
        self.act({'type': 'wheel', 'id': 'wheel', 'actions': [{'type': 'scroll', 'x': round(x), 'y': round(y), 'deltaX': 0, 'deltaY': delta}]})

    def touch(self, kind, points):
        points = points or [None] * self.fingers
        self.fingers = len(points)
        what = {'Start': [{'type': 'pointerDown', 'button': 0}], 'Move': [], 'End': [{'type': 'pointerUp', 'button': 0}]}[kind]
        self.act(*({'type': 'pointer', 'id': f'finger{f}', 'parameters': {'pointerType': 'touch'},
                    'actions': ([{'type': 'pointerMove', 'x': round(p[0]), 'y': round(p[1])}] if p else []) + what} for f, p in enumerate(points)))

    def type(self, text):
        for letter in text:
            self.key(letter)

    def key(self, name, text=''):
        value = KEYS.get(name, name)
        self.act({'type': 'key', 'id': 'keys', 'actions': [{'type': 'keyDown', 'value': value}, {'type': 'keyUp', 'value': value}]})

    def downloads(self, folder):
        pass                                                  # they go into the profile

    def saved(self, name, act):
        for old in self.folder_of_files.iterdir():
            old.unlink()
        act()

        def whole():
            self.value('0')
            there = self.folder_of_files / name
            return there.exists() and there.stat().st_size > 0 and not list(self.folder_of_files.glob('*.part')) and there
        return self.wait(whole, f'{name} is saved').read_bytes()

    def accessible(self):
        return None                                           # the protocol does not say

    def picture(self, path):
        data = self.call('browsingContext.captureScreenshot', context=self.context)['data']
        pathlib.Path(path).write_bytes(base64.b64decode(data))


if __name__ == '__main__':                                    # whether there is one
    sys.exit(program() is None)
