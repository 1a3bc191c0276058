// Rate limits and usage limits in what an agent prints: whether it is one, and how long to wait. Pure; the clock is handed in.

export type Limit =
  /** Too much at once: soon again. `after`: ms the service asked for, if it did. */
  | { kind: 'rate'; after: number | null }
  /** The account's allowance is used up until `until` (ms since the epoch; null: it did not say). */
  | { kind: 'usage'; until: number | null };

const USAGE =
  /usage[ _-]?limit|quota (?:has been )?exceeded|exceeded your current quota|insufficient[ _]quota|out of credits|(?:hit|reached) your (?:[\w-]+ ){0,3}limit|(?:5-hour|weekly|daily|monthly) limit reached|limit will reset/i;
const RATE = /\b429\b|\b529\b|rate[ _-]?limit|too many requests|overloaded/i;
/** A "usage limit" of less than this is a rate limit in other words, ms. */
const SHORT = 2 * 60_000;
const DAY = 86_400_000;
const UNIT: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: DAY };

/** What `text` (an error message, the end of an output) says about limits; null when it speaks of none. */
export function findLimit(text: string, now: number): Limit | null {
  if (USAGE.test(text)) {
    const until = findReset(text, now);
    if (until === null || until - now > SHORT) return { kind: 'usage', until };
    return { kind: 'rate', after: Math.max(0, until - now) };
  }
  return RATE.test(text) ? { kind: 'rate', after: findWait(text) } : null;
}

/** `retry-after: 12`, "try again in 1.5s"; ms. */
export function findWait(text: string): number | null {
  const header = /retry[-_ ]after(?:-ms)?["']?\s*[:=]?\s*["']?(\d+(?:\.\d+)?)\s*(ms|s|m|h)?/i.exec(text);
  if (header) return Math.round(Number(header[1]) * UNIT[/after-ms/i.test(header[0]) ? 'ms' : (header[2]?.toLowerCase() ?? 's')]!);
  const span = /(?:try|retry)(?:ing)? again in\s+((?:\d+(?:\.\d+)?\s*[a-z]+[,\s]*(?:and\s+)?)+)/i.exec(text);
  return span ? readSpan(span[1]!) : null;
}

/** When an allowance comes back: an epoch, a span, a date, a time of day; ms since the epoch. */
export function findReset(text: string, now: number): number | null {
  const epoch = /limit reached\|(\d{10})(?!\d)/i.exec(text) ?? /resets?[_ ]?at["']?\s*[:=]\s*(\d{10})(?!\d)/i.exec(text);
  if (epoch) return Number(epoch[1]) * 1000;
  const wait = findWait(text);
  if (wait !== null) return now + wait;
  const iso = /(?:reset|again|until)\D{0,40}(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d))/i.exec(text);
  if (iso) return Date.parse(iso[1]!);
  const dated =
    /(?:reset|again|until)s?\s+(?:at|on)?\s*([A-Z][a-z]{2,8} \d{1,2})(?:st|nd|rd|th)?,? (\d{4})?,?\s*(?:at )?(\d{1,2}(?::\d\d)?\s*(?:am|pm)?)/i.exec(
      text,
    );
  if (dated) return readDate(dated[1]!, dated[2], dated[3]!, now);
  const clock =
    /(?:reset|again|until)s?\s+(?:at\s+)?(\d{1,2}(?::\d\d)?\s*(?:am|pm)|\d{1,2}:\d\d)(?:\s*\(([A-Za-z_]+(?:\/[A-Za-z_]+)*)\))?/i.exec(text);
  return clock ? nextTime(clock[1]!, clock[2], now) : null;
}

/** "3 days 4 hours 5 minutes", "1.5s"; ms. */
function readSpan(text: string): number | null {
  let total = 0;
  for (const [, n, unit] of text.matchAll(
    /(\d+(?:\.\d+)?)\s*(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)\b/gi,
  )) {
    const short = unit!.toLowerCase().startsWith('ms') || /^milli/i.test(unit!) ? 'ms' : unit![0]!.toLowerCase();
    total += Number(n) * UNIT[short]!;
  }
  return total > 0 ? Math.round(total) : null;
}

function readClock(text: string): { hour: number; minute: number } | null {
  const match = /^(\d{1,2})(?::(\d\d))?\s*(am|pm)?$/i.exec(text.trim());
  if (!match) return null;
  const half = match[3]?.toLowerCase();
  const hour = half ? (Number(match[1]) % 12) + (half === 'pm' ? 12 : 0) : Number(match[1]);
  const minute = Number(match[2] ?? 0);
  return hour < 24 && minute < 60 ? { hour, minute } : null;
}

function readDate(day: string, year: string | undefined, clock: string, now: number): number | null {
  const time = readClock(clock);
  const date = new Date(`${day} ${year ?? new Date(now).getFullYear()}`);
  if (!time || Number.isNaN(date.getTime())) return null;
  date.setHours(time.hour, time.minute, 0, 0);
  return date.getTime();
}

/** The next moment at which clocks in `zone` (here, when none is named) show that time. */
function nextTime(clock: string, zone: string | undefined, now: number): number | null {
  const time = readClock(clock);
  if (!time) return null;
  const wanted = time.hour * 60 + time.minute;
  const shown = minutesOfDay(now, zone);
  const minutes = (wanted - shown + 1440) % 1440 || 1440;
  return Math.floor(now / 60_000) * 60_000 + minutes * 60_000;
}

function minutesOfDay(now: number, zone: string | undefined): number {
  let parts: Intl.DateTimeFormatPart[];
  try {
    parts = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone }).formatToParts(now);
  } catch {
    return minutesOfDay(now, undefined);
  }
  const part = (type: string) => Number(parts.find((p) => p.type === type)?.value ?? 0);
  return part('hour') * 60 + part('minute');
}
