import type { Clock } from './clock.ts';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** What a line may carry. A `Secret` in it prints as a mask; control characters are escaped by JSON. */
export type LogFields = Readonly<Record<string, unknown>>;

/** One JSON object a line: `time`, `level`, `event`, then the fields. */
export interface Log {
  write(level: LogLevel, event: string, fields?: LogFields): void;
}

export function createLog(print: (line: string) => void, clock: Clock, least: LogLevel): Log {
  const floor = logLevels.indexOf(least);
  return {
    write(level, event, fields) {
      if (logLevels.indexOf(level) < floor) return;
      print(JSON.stringify({ time: new Date(clock.now()).toISOString(), level, event, ...fields }));
    },
  };
}

/** What a log line says of something that was thrown: never to be shown to a caller. */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: String(error) };
  return { error: error.message, stack: error.stack, ...(error.cause ? { cause: String(error.cause) } : {}) };
}
