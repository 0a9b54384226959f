/** A metadata field that the release defines. System fields are written by the service alone. */
export interface ReleaseField {
  readonly name: string;
  readonly type: 'string' | 'string-exact' | 'string-noindex' | 'integer' | 'float' | 'date';
  readonly system: boolean;
}

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

/** Every field of this release, as data: initialisation creates those that are missing. */
export const releaseFields: readonly ReleaseField[] = [...spread(system, true), ...spread(open, false)];
