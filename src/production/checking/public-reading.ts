export { mimeTypeByName, octets, soundsLikeMedia } from '../../core/lib/mime-types.ts';
export { checkedResult } from './probing/checked-result.ts';
export { countedSource, headBytes } from './probing/counted-source.ts';
export { MediaFault, mediaKindOf } from './probing/faults.ts';
export { isIncomplete, missingProbers, ownProbersHook, probeWith, withoutOwnProbers } from './probing/probers.ts';
export { integratedLoudness, loudnessRange, unpackedEnergies } from './sound/loudness.ts';
export { createMeter } from './sound/meter.ts';
