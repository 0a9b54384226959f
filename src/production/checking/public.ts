export { checkAhead, checkMedia, checkShape, type FileCheck } from './check.ts';
export { originalName } from './deducing/fields.ts';
export { currentMapping } from './embedded/mapping.ts';
export type { CheckingSettings } from './parts.ts';
export { probeFile } from './probing/probe-file.ts';
export { mediaSourceOf, type ProbeParts } from './probing/source.ts';
export {
  type KeepStills,
  type MadeFile,
  type RemotePart,
  type Runners,
  runnerLabelsKey,
  runnersHook,
  type StagedOutput,
  type TranscodeReport,
  type WorkHere,
} from './runners.ts';
export { checkedSound } from './sound/checked-sound.ts';
export { picturedMedia, soundMedia, stillMedia } from './still-media.ts';
