import { expect } from 'vitest';
import { ask, describeForms, type Form } from './forms.ts';

/** Documents as they were recorded with a server of this API. */

const transcoder = {
  url: 'http://transcoder.test:8888/',
  directAccess: [{ filter: 'file:///srv/.*', rewrite: [{ pattern: 'file:///srv', replacement: 'file:///mnt' }] }],
};
const schema = { min: 0, max: -1 };
const forms: readonly Form[] = [
  {
    name: 'recorded: a field group tells each field whole: type, schema and origin',
    given: [
      ask('PUT /metadata-field/film_year', { type: 'string' }),
      ask('PUT /metadata-field/field-group/Years', { field: [{ name: 'film_year' }] }),
    ],
    sent: ask('GET /metadata-field/field-group/Years'),
    contains: [
      '"field":[{"name":"film_year","schema":{"min":0,"max":-1,"name":"film_year"},"type":"string","origin":"VX"}]',
    ],
    lacks: ['"data"'],
  },
  {
    name: 'gnm: a field group tells its data and that of its fields unasked',
    given: [
      ask('PUT /metadata-field/film_title', { type: 'string', data: [{ key: 'extradata', value: 'large' }] }),
      ask('PUT /metadata-field/field-group/Film', {
        field: [{ name: 'film_title' }],
        data: [{ key: 'extradata', value: 'sheet' }],
      }),
    ],
    sent: ask('GET /metadata-field/field-group/Film'),
    json: {
      data: [{ key: 'extradata', value: 'sheet' }],
      field: [{ name: 'film_title', data: [{ key: 'extradata', value: 'large' }] }],
    },
  },
  {
    name: 'recorded: a list of field groups tells data to who asks for it',
    sent: ask('GET /metadata-field/field-group?content=True'),
    contains: ['"film_title"'],
    lacks: ['"data"'],
  },
  {
    name: 'gnm: a field group tells the keys that are asked for alone',
    sent: ask('GET /metadata-field/field-group/Film?data=hint'),
    lacks: ['"data"'],
  },
  {
    name: 'recorded: with data=all the fields of a group tell their key-values',
    sent: ask('GET /metadata-field/field-group/Film?data=all'),
    json: { field: [{ schema, type: 'string', data: [{ key: 'extradata', value: 'large' }] }] },
  },
  {
    name: 'gnm: with data=all a field tells its key-values, however they were written',
    given: [ask('PUT /metadata-field/film_title/metadata/hint', 'below', { 'content-type': 'text/plain' })],
    sent: ask('GET /metadata-field/film_title?data=all'),
    json: {
      data: expect.arrayContaining([
        { key: 'extradata', value: 'large' },
        { key: 'hint', value: 'below' },
      ]),
    },
  },
  {
    name: 'recorded: a re-index has a start from the moment it is asked for',
    sent: ask('PUT /reindex/item'),
    json: { index: 'item', priority: 500, status: 'IN_QUEUE', start: expect.stringMatching(/^\d{4}-/) },
  },
  {
    name: 'a storage tells the bandwidth of a method that has one, as its list of methods does',
    sent: ask('POST /storage', {
      type: 'LOCAL',
      capacity: 1500,
      method: [{ uri: 'memory:///fast/', bandwidth: 700, read: true, write: true, browse: true }],
    }),
    json: { id: 'VX-1', method: [{ uri: 'memory:///fast/', bandwidth: 700 }] },
  },
  {
    name: 'recorded: a method without bandwidth tells none inside its storage',
    sent: ask('POST /storage', { type: 'LOCAL', capacity: 1500, method: [{ uri: 'memory:///slow/' }] }),
    json: { id: 'VX-2' },
    lacks: ['bandwidth'],
  },
  {
    name: 'recorded: and 0 in the list of methods',
    sent: ask('GET /storage/VX-2/method'),
    json: { method: [{ uri: 'memory:///slow/', bandwidth: 0 }] },
  },
  {
    name: 'gnm: a transcoder keeps what files it opens by itself, and is listed with its url',
    given: [ask('POST /resource/transcoder', { transcoder })],
    sent: ask('GET /resource/transcoder'),
    json: { resource: [{ id: 'VX-1', transcoder }] },
  },
  {
    name: 'the license tells how many users, items, storages and transcoders there are',
    given: [ask('POST /import/placeholder?container=1')],
    sent: ask('GET /version'),
    json: {
      licenseInfo: {
        userNumber: { allowed: '-1', current: '1' },
        itemNumber: { allowed: '-1', current: '1' },
        storageNumber: { allowed: '-1', current: '2' },
        transcoderNumber: { allowed: '-1', current: '1' },
      },
    },
  },
  { name: 'recorded: a resource is deleted with 204', sent: ask('DELETE /resource/transcoder/VX-1'), status: 204 },
];

describeForms('documents as recorded', [], forms);
