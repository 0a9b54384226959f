import type { ReleaseField } from '../../room/context.ts';

type Line = readonly [ReleaseField['type'], readonly string[]];

const system: readonly Line[] = [
  ['string-exact', ['itemId', 'user', 'mediaType', 'shapeTag', 'originalFilename', 'originalFormat', 'mimeType']],
  ['string-exact', ['originalVideoCodec', 'originalAudioCodec', 'collectionId', 'trackId']],
  ['string-noindex', ['durationTimeCode']],
  ['integer', ['originalWidth', 'originalHeight']],
  ['float', ['durationSeconds']],
  ['date', ['created']],
];

const open: readonly Line[] = [
  ['string', ['title', 'fieldValidationError', 'schemaValidationError']],
  ['string-exact', ['originalUri', 'representativeThumbnail', 'representativeThumbnailNoAuth', 'startTimeCode']],
  ['float', ['startSeconds']],
];

const spread = (lines: readonly Line[], isSystem: boolean): ReleaseField[] =>
  lines.flatMap(([type, names]) => names.map((name) => ({ name, type, system: isSystem })));

/** Predefined fields. Initialisation creates missing ones. */
export const releaseFields: readonly ReleaseField[] = [...spread(system, true), ...spread(open, false)];
