import { document, element, integer, list, string, structure, type Value } from '../../../core/documents/describe.ts';

/** Files that a transcoder opens by itself, and how it writes their addresses. */
const directAccess = structure('TranscoderDirectAccessType', {
  filter: element(string).says('A regular expression for addresses of files.'),
  rewrite: list(structure('TranscoderRewriteType', { pattern: element(string), replacement: element(string) })).max(
    100,
  ),
});

const resourceType = structure('ResourceType', {
  id: element(string).outputOnly,
  state: element(string).outputOnly,
  network: element(structure('NetworkType', { netmask: element(string), bandwidth: element(integer) })),
  transcoder: element(
    structure('TranscoderType', {
      type: element(string),
      url: element(string),
      version: element(string).outputOnly,
      reverseAddress: element(string),
      reverseAddressDetected: element(string).outputOnly,
      directAccess: list(directAccess).max(100),
      state: element(string).outputOnly,
      weight: element(integer),
    }),
  ),
  externalTranscoder: element(
    structure('ExternalTranscoderType', {
      source: element(string),
      destination: element(string),
      shapeTag: element(string),
      timeout: element(integer),
      interval: element(integer),
      checks: element(integer),
      regex: element(string),
    }),
  ),
  thumbnail: element(
    structure('ThumbnailServiceType', {
      path: list(string).max(10),
      mode: element(string),
      state: element(string).outputOnly,
    }),
  ),
  unknown: element(string),
});

export const resourceDocument = document('ResourceDocument', resourceType);
export type TranscodingResource = Value<typeof resourceDocument>;

export const resourceListDocument = document('ResourceListDocument', { resource: list(resourceType) });

export const resourceTypeListDocument = document('ResourceTypeListDocument', {
  resourcetype: list(structure('ResourceTypeEntryType', { type: element(string), url: element(string) })),
});
