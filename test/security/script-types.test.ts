import { expect, it } from 'vitest';
import { openWorld } from '../support/matrix.ts';
import { admin } from '../support/service.ts';
import { sendWell } from '../support/ways.ts';

const source = 'preset.setFormat("mp4")';
const json = { 'content-type': 'application/json' };

const owners: readonly (readonly [at: string, document: object])[] = [
  ['shape-tag/web', {}],
  ['task-definition/jobtype/TRANSCODE/step/4711', { description: 'x', script: source }],
  ['export-location/out', { uri: 'file:///tmp/out/' }],
];

it('a page of the service that is made to load a script of an administrator runs nothing: it is plain text', async () => {
  const world = await openWorld('fetch');
  for (const [at, document] of owners) {
    const request = `/API/${at}`;
    await sendWell(world, { as: admin, request: `PUT ${request}`, body: JSON.stringify(document), headers: json });
    const headers = { 'content-type': 'application/javascript', accept: 'application/javascript' };
    await sendWell(world, { as: admin, request: `PUT ${request}/script`, headers, body: source });
    for (const accept of ['*/*', 'application/javascript', 'text/plain']) {
      const asked = { as: admin, request: `GET ${request}/script`, headers: { accept } };
      const { body, headers: answered } = await sendWell(world, asked);
      const type = answered.get('content-type')?.split(';')[0];
      expect([body, type, answered.get('x-content-type-options')], `${at} as ${accept}`).toEqual([
        source,
        'text/plain',
        'nosniff',
      ]);
    }
  }
});
