#!/bin/sh
# progress.sh MAKE ARGUMENT...  Runs make, and says on standard error how far it is: that is what `pkg install` shows.
#
# What make prints goes to standard output, but for lines that begin with 'knng: ', which are for the user.
total=$("$@" -n 2>/dev/null | grep -c '^echo "  [A-Z]')
[ "$total" = 0 ] || echo "knng: $total files to compile and link" >&2
{
	"$@"
	echo "status $?"
} | {
	done=0
	shown=0
	while IFS= read -r line; do
		case $line in
		'status '*) exit "${line#status }" ;;
		'knng: '*) echo "$line" >&2 ;;
		'  '[A-Z]*)
			printf '%s\n' "$line"
			if [ "$total" -gt 0 ] && [ $((10 * done / total)) -gt "$shown" ]; then
				shown=$((10 * done / total))
				echo "knng: $done of $total files" >&2
			fi
			done=$((done + 1)) # the line is printed before its file is made
			;;
		*) printf '%s\n' "$line" ;;
		esac
	done
}
