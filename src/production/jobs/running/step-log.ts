import { storable } from '../../../core/lib/storable.ts';
import type { ProgressUnit, SubTask } from '../../../room/jobs/job-type.ts';

/** Progress and log of a step, as stored with its attempt. */
export interface StepProgress {
  readonly progress: number | null;
  readonly progressTotal: number | null;
  readonly unit: string | null;
  /** JSON: pairs of time and sentence. */
  readonly said: string;
  /** JSON: number of parts, and the state of each. */
  readonly parts: string | null;
}

type LogLines = readonly (readonly [time: number, sentence: string])[];

export interface Parts {
  readonly total: number;
  readonly tasks: readonly (readonly [number: number, news: SubTask & { readonly timestamp: number }])[];
}

/** A log is read whole, with those of all other steps. */
const [maxSentences, maxParts, longest] = [200, 200, 1_000];

/** Progress of a step that has told nothing. */
export const nothingTold: StepProgress = { progress: null, progressTotal: null, unit: null, said: '[]', parts: null };

/** Collects what a step tells, until a commit writes it. */
export function stepLog() {
  const said: [number, string][] = [];
  const parts = new Map<number, SubTask & { timestamp: number }>();
  let total = 0;
  let far: { done: number; total: number; unit: ProgressUnit } | undefined;

  return {
    progress(done: number, of: number, unit: ProgressUnit): void {
      far = { done, total: of, unit };
    },
    says(now: number, sentences: readonly string[]): void {
      for (const sentence of sentences) said.push([now, storable(sentence, longest)]);
      said.splice(0, Math.max(0, said.length - maxSentences));
    },
    part(now: number, number: number, of: number, news: SubTask): void {
      total = of;
      if (parts.has(number) || parts.size < maxParts) parts.set(number, { ...news, timestamp: now });
    },
    /** `more`: said in the same commit. */
    told(now: number, more: readonly string[] = []): StepProgress {
      if (said.length + more.length + parts.size === 0 && far === undefined) return nothingTold;
      const all: LogLines = [...said, ...more.map((sentence) => [now, storable(sentence, longest)] as const)];
      const tasks = [...parts].sort(([one], [other]) => one - other);
      return {
        progress: far === undefined ? null : Math.trunc(far.done),
        progressTotal: far === undefined ? null : Math.trunc(far.total),
        unit: far?.unit ?? null,
        said: JSON.stringify(all.slice(-maxSentences)),
        parts: total === 0 ? null : JSON.stringify({ total, tasks } satisfies Parts),
      };
    },
  };
}
export type StepLog = ReturnType<typeof stepLog>;
