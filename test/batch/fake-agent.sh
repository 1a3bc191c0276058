#!/bin/sh
# An agent for tests. KIND says what it does, STATE is a folder in which each run leaves a line, MS how long it takes; `wait` takes until
# there is a file `go` in that folder.
# HERD_TASK is the task's id. Prints a result line as agents with structured output do.
echo "$$ $(date +%s%N)" >>"$STATE/$HERD_TASK.runs"
runs=$(wc -l <"$STATE/$HERD_TASK.runs")
pause() { sleep "$(awk "BEGIN{print ${MS:-100}/1000}")"; }
result() { echo '{"type":"result","result":"did '"$HERD_TASK"'","total_cost_usd":'"${COST:-0.01}"',"usage":{"input_tokens":100,"output_tokens":20}}'; }
case "$KIND" in
hang) trap '' TERM HUP; setsid sleep 600 & sleep 600 & while :; do sleep 600; done ;;
escape) setsid sleep 600 >/dev/null 2>&1 & pause; echo x >"$HERD_TASK.txt"; result ;;
crash) pause; kill -SEGV $$ ;;
429) if [ "$runs" -le "${TIMES:-2}" ]; then echo 'API Error: 429 {"type":"rate_limit_error"}' >&2; exit 1; fi; pause; echo "result" >"$HERD_TASK.txt"; result ;;
limit) if [ "$runs" -le 1 ]; then echo "Claude AI usage limit reached|$(($(date +%s) + 150))" >&2; exit 1; fi; result ;;
scope) pause; mkdir -p allowed; echo x >"allowed/$HERD_TASK"; echo x >"outside-$HERD_TASK"; result ;;
syntax) pause; echo 'if then' >"$HERD_TASK.sh"; result ;;
huge) head -c "${SIZE:-50000000}" /dev/zero | tr '\0' 'x'; echo; result ;;
wait) while [ ! -e "$STATE/go" ]; do sleep 0.1; done; echo "result" >"$HERD_TASK.txt"; result ;;
fail) pause; echo 'could not do it'; exit 3 ;;
mixed) printf '\000\001\002' >"bin-$HERD_TASK"; git mv old.txt "new-$HERD_TASK.txt"; chmod +x mode.txt; echo "line of $HERD_TASK" >>"$HERD_TASK.txt"; result ;;
edit) pause; cat >/dev/null; printf '%s\n' "${LINE:-line of $HERD_TASK}" >>"${FILE:-$HERD_TASK.txt}"; result ;;
rows) cat >"$STATE/$HERD_TASK.prompt"; printf '%s\n' "$ROWS" ;;
*) pause; echo "result of $HERD_TASK" >"$HERD_TASK.txt"; result ;;
esac
