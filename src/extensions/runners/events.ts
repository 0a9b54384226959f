import { emitterOf, event } from '../../core/events/event-kinds.ts';

type RunnerChange = { readonly runner: string; readonly name: string };

export const runnerEvents = {
  'runner/create': event<RunnerChange>(),
  'runner/delete': event<RunnerChange>(),
};

export const happened = emitterOf(runnerEvents);
