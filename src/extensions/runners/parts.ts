import type { TranscodingContext, TranscodingParts } from '../../production/transcoding/public.ts';
import type { RoomContext } from '../../room/context.ts';
import type { RunnerSettings } from './settings.ts';

interface OfTranscoding {
  readonly transcodings: number | 'auto';
}

export type RunnerContext = TranscodingContext & RoomContext<RunnerSettings & OfTranscoding>;
export type RunnerParts = TranscodingParts & RunnerContext;
