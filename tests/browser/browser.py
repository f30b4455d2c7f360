"""browser.py  Drives Chromium by its DevTools protocol, with Python's standard library alone.

    with Browser() as b:
        b.open(path, width=1200, height=800)
        b.value('document.title')

python3 browser.py: status 0 if there is a browser. The protocol goes over two pipes (--remote-debugging-pipe): messages of JSON, each with a 0 behind it. What the page
wrote to its console, and which requests it made, are in b.console and b.requests since the last open."""

import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import sys
import tempfile
import time

PROGRAMS = ('chromium', 'chromium-browser', 'google-chrome')
OPTIONS = ['--headless=new', '--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--no-first-run',
           '--disable-background-networking', '--disable-component-update', '--disable-sync', '--hide-scrollbars',
           '--force-color-profile=srgb', '--remote-debugging-pipe', 'about:blank']


def program():
    """The browser's program, or None."""
    return next((p for p in map(shutil.which, PROGRAMS) if p), None)


class Failure(Exception):
    pass


class Refused(Failure):
    """The browser answered that it cannot do what it was told, as while one page takes the place of another, or code ended
    in an error."""


class Browser:
    def __init__(self, seconds=300):                          # after which it is taken to hang; the machine may be busy
        self.folder = tempfile.mkdtemp(prefix='knng-browser-')
        self.seconds = seconds
        self.console, self.requests = [], []
        self.files = {}                                       # what is being saved: its id, and [name, whether it is whole]
        self.count, self.session, self.rest = 0, None, b''
        to_read, self.to = os.pipe()
        self.frm, from_write = os.pipe()
        # the browser reads from 3 and writes to 4, whatever numbers these pipes have here
        self.process = subprocess.Popen(['bash', '-c', f'exec "$@" 3<&{to_read} 4>&{from_write}', 'browser', program(),
                                         '--user-data-dir=' + self.folder, *OPTIONS],
                                        pass_fds=(to_read, from_write), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        target = self.call('Target.createTarget', url='about:blank')['targetId']
        self.session = self.call('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        for domain in ('Page', 'Runtime', 'Network', 'Log', 'Performance'):
            self.call(domain + '.enable')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.session = None
            self.call('Browser.close')
            self.process.wait(60)
        except (Failure, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.frm)
        for _ in range(50):                                   # its children may still write
            shutil.rmtree(self.folder, ignore_errors=True)
            if not os.path.exists(self.folder):
                break
            time.sleep(0.1)

    # ---- the protocol
    def call(self, method, **params):
        self.count += 1
        message = {'id': self.count, 'method': method, 'params': params}
        if self.session:
            message['sessionId'] = self.session
        text = json.dumps(message).encode() + b'\0'
        while text:
            text = text[os.write(self.to, text):]
        while True:
            answer = self.receive(self.seconds)
            if answer.get('id') == self.count:
                if 'error' in answer:
                    raise Refused(f"{method}: {answer['error']['message']}")
                return answer['result']

    def receive(self, seconds):
        """The next message, which is noted."""
        end = time.monotonic() + seconds
        while b'\0' not in self.rest:
            if not select.select([self.frm], [], [], max(0, end - time.monotonic()))[0]:
                raise Failure(f'the browser has said nothing for {seconds} s')
            more = os.read(self.frm, 1 << 20)
            if not more:
                raise Failure('the browser has ended')
            self.rest += more
        text, self.rest = self.rest.split(b'\0', 1)
        message = json.loads(text)
        self.note(message.get('method'), message.get('params', {}))
        return message

    def note(self, method, params):
        if method == 'Network.requestWillBeSent':
            self.requests.append(params['request']['url'])
        elif method == 'Runtime.consoleAPICalled':
            self.console.append(str([a.get('value', a.get('description')) for a in params['args']]))
        elif method == 'Runtime.exceptionThrown':
            details = params['exceptionDetails']
            self.console.append(details.get('exception', {}).get('description', details['text']))
        elif method == 'Log.entryAdded':
            self.console.append(params['entry']['text'])
        elif method == 'Browser.downloadWillBegin':
            self.files[params['guid']] = [params['suggestedFilename'], False]
        elif method == 'Browser.downloadProgress' and params['state'] == 'completed':
            self.files[params['guid']][1] = True

    # ---- the page
    def size(self, width, height, touch=False, scale=1):
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=scale, mobile=touch)
        self.call('Emulation.setTouchEmulationEnabled', enabled=touch)

    def dark(self, on):
        self.call('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': 'dark' if on else 'light'}])

    def paper(self, on):
        """Shows the page as it is printed, as far as its style says; whether this browser can."""
        self.call('Emulation.setEmulatedMedia', media='print' if on else '')
        return True

    def navigate(self, url):
        self.call('Page.navigate', url=url)

    def open(self, path, address='', ready='document.documentElement?.dataset.ready'):
        """Opens a file, and waits until `ready` is true."""
        self.navigate('about:blank')
        self.until("location.href == 'about:blank'")
        self.console.clear()
        self.requests.clear()
        self.navigate(pathlib.Path(path).absolute().as_uri() + address)
        self.until(f"location.protocol === 'file:' && ({ready})")

    def reload(self, ready='document.documentElement?.dataset.ready'):
        self.value('window.before = true')
        self.call('Page.reload')
        self.until(f'!window.before && ({ready})')

    def value(self, code):
        """What an expression is; a promise is waited for."""
        result = self.call('Runtime.evaluate', expression=code, awaitPromise=True, returnByValue=True,
                           allowUnsafeEvalBlockedByCSP=False)
        if 'exceptionDetails' in result:
            raise Refused(code + ': ' + result['exceptionDetails'].get('exception', {}).get('description', '?'))
        return result['result'].get('value')

    def until(self, code):
        """Waits until an expression is true, through changes of the page; until then it may also be an error."""
        self.wait(lambda: self.value(f'Boolean({code})'), code)

    def wait(self, done, what):
        """Waits until a function returns what is true, and returns it. It has to ask the browser something."""
        end, said = time.monotonic() + self.seconds, ''
        while time.monotonic() < end:
            try:
                result = done()
                if result:
                    return result
            except Refused as error:
                said = f' ({error})'
            time.sleep(0.02)
        raise Failure(f'never: {what}{said}')

    def place(self, selector):
        """The middle of an element in the window, into which it is scrolled."""
        return self.value(f'(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: "nearest"}});'
                          'const b = e.getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; })()')

    def mouse(self, kind, x, y, buttons=0, shift=False):
        self.call('Input.dispatchMouseEvent', type='mouse' + kind, x=x, y=y, button='left' if buttons or kind == 'Released' else 'none',
                  buttons=buttons, clickCount=int(kind != 'Moved'), modifiers=8 if shift else 0)

    def click(self, where):
        x, y = self.place(where) if isinstance(where, str) else where
        self.mouse('Moved', x, y)
        self.mouse('Pressed', x, y, 1)
        self.mouse('Released', x, y)

    def drag(self, points, shift=False):
        self.mouse('Moved', *points[0])
        self.mouse('Pressed', *points[0], 1, shift)
        for p in points[1:]:
            self.mouse('Moved', *p, 1, shift)
        self.mouse('Released', *points[-1], 0, shift)

    def wheel(self, x, y, delta):
        self.call('Input.dispatchMouseEvent', type='mouseWheel', x=x, y=y, deltaX=0, deltaY=delta)

    def touch(self, kind, points):
        self.call('Input.dispatchTouchEvent', type='touch' + kind, touchPoints=[{'x': x, 'y': y} for x, y in points])

    def type(self, text):
        self.call('Input.insertText', text=text)

    def key(self, name, text=''):
        for kind in ('keyDown', 'keyUp'):
            self.call('Input.dispatchKeyEvent', type=kind, key=name, text=text if kind == 'keyDown' else '',
                      windowsVirtualKeyCode={'Enter': 13, 'Escape': 27, 'ArrowDown': 40, 'ArrowUp': 38, 'ArrowLeft': 37, 'ArrowRight': 39}.get(name, ord(name[0])))

    def downloads(self, folder):
        self.folder_of_files = pathlib.Path(folder)
        self.call('Browser.setDownloadBehavior', behavior='allowAndName', downloadPath=str(folder), eventsEnabled=True)

    def saved(self, name, act):
        """The bytes of the file of this name that act() makes the browser save, when it is whole."""
        self.files.clear()
        act()

        def whole():
            self.value('0')                                   # hears what the browser says meanwhile
            return next((guid for guid, (of, done) in self.files.items() if of == name and done), None)
        return (self.folder_of_files / self.wait(whole, f'{name} is saved')).read_bytes()

    def accessible(self):
        """What those who do not see are told: a list of [role, name]."""
        nodes = self.call('Accessibility.getFullAXTree')['nodes']
        return [[n['role']['value'], n.get('name', {}).get('value')] for n in nodes if not n.get('ignored')]

    def picture(self, path):
        data = self.call('Page.captureScreenshot', format='png')['data']
        pathlib.Path(path).write_bytes(base64.b64decode(data))


if __name__ == '__main__':                                    # whether there is one
    sys.exit(program() is None)
