import type { Clock } from './clock.ts';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Fields of a log line. A `Secret` prints as a mask; JSON escapes control characters. */
type LogFields = Readonly<Record<string, unknown>>;

/** Log with one JSON object per line: `time`, `level`, `event`, then the fields. */
export interface Log {
  write(level: LogLevel, event: string, fields?: LogFields): void;
  /** Whether the log writes lines of this level. Called before gathering expensive fields. */
  writes(level: LogLevel): boolean;
}

export function createLog(print: (line: string) => void, clock: Clock, least: LogLevel): Log {
  const floor = logLevels.indexOf(least);
  const timestamp = timestamps();
  const nameOf = names();
  return {
    writes: (level) => logLevels.indexOf(level) >= floor,
    write(level, event, fields = {}) {
      if (logLevels.indexOf(level) < floor) return;
      // Put together by hand: a line a request is written on the hottest path there is.
      let line = `{"time":"${timestamp(clock.now())}","level":"${level}","event":"${event}"`;
      for (const name in fields) {
        const value = fields[name];
        if (value !== undefined) line += nameOf(name) + textOf(value);
      }
      print(`${line}}`);
    },
  };
}

/** Nothing here needs an escape, so nothing has to look for one. */
const harmless = /^[\w /.:@~-]*$/;

function textOf(value: unknown): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null';
  if (typeof value === 'string' && harmless.test(value)) return `"${value}"`;
  return JSON.stringify(value) ?? 'null';
}

/** Names of fields as they stand in a line. Lines have few different ones. */
function names(): (name: string) => string {
  const escapes = new Map<string, string>();
  return (name) => {
    const escaped = escapes.get(name);
    if (escaped !== undefined) return escaped;
    const text = `,"${name}":`;
    if (escapes.size < maxNames) escapes.set(name, text);
    return text;
  };
}
const maxNames = 200;

/** Many lines have the same millisecond, and a date is slow to print. */
function timestamps(): (now: number) => string {
  let last = Number.NaN;
  let text = '';
  return (now) => {
    if (now !== last) {
      text = new Date(now).toISOString();
      last = now;
    }
    return text;
  };
}

/** Log fields of an error. Never to be shown to a caller. */
export function describeError(error: unknown, hide = (text: string): string => text): LogFields {
  if (!(error instanceof Error)) return { error: hide(String(error)) };
  const { message, stack = '', cause } = error;
  return { error: hide(message), stack: hide(stack), ...(cause ? { cause: hide(String(cause)) } : {}) };
}
