export { checkedResult } from './probing/checked-result.ts';
export { headBytes } from './probing/counted-source.ts';
export { MediaFault, mediaKindOf } from './probing/faults.ts';
export { mimeTypeByName, octets, soundsLikeMedia } from './probing/mime-types.ts';
export { missingProbers, ownProbersHook, withoutOwnProbers } from './probing/own-probers.ts';
export { isIncomplete, probeWith } from './probing/probe-with.ts';
export { unpackedEnergies } from './sound/energies.ts';
export { integratedLoudness, loudnessRange } from './sound/loudness.ts';
export { createMeter } from './sound/meter.ts';
