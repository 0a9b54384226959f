import { emitterOf, event } from '../../core/events/event-kinds.ts';

type RunnerChange = { readonly runner: string; readonly name: string };

export const runnerEvents = {
  'runner/create': event<RunnerChange>(),
  'runner/delete': event<RunnerChange>(),
  'runner/pause': event<RunnerChange>(),
  'runner/resume': event<RunnerChange>(),
};

export const runnerEvent = emitterOf(runnerEvents);
