import { expect } from 'vitest';
import { ask, describeForms, type Form } from './forms.ts';

/** Calls that public clients make: what each was for, seen in the next one. */

const text = { accept: 'text/plain' };
const javascript = { accept: 'application/javascript' };
const bytes = { 'content-type': 'application/octet-stream' };
const lock = (year: number) => ({ expiryTime: `${year}-01-01T00:00:00.000Z` });
const step = { task: [{ step: 100, script: 'job.log("one")' }] };
const steps = '/task-definition/jobtype/GREET';
const bulky = '/item/VX-1/shape/VX-1/component/VX-1/metadata/bulky';
const definition = '/collection/VX-1/definition/prproj';
const told = {
  action: { http: { url: 'http://receiver.test/', synchronous: false } },
  trigger: { item: { delete: {} } },
};

const forms: readonly Form[] = [
  {
    name: 'client-calls.md vdt: a lock on metadata is read by its id',
    given: [ask('POST /item/VX-1/metadata-lock?field=title&timeout=60')],
    sent: ask('GET /item/VX-1/metadata-lock'),
    contains: ['"field":["title"]'],
  },
  {
    name: 'client-calls.md vdt: a lock on the deletion of an item is read below it',
    given: [ask('POST /item/VX-1/deletion-lock', lock(2998))],
    sent: ask('GET /item/VX-1/deletion-lock/VX-1'),
    json: { id: 'VX-1', entityId: 'VX-1', entityType: 'Item', expiryTime: expect.stringMatching(/^2998-/) },
  },
  {
    name: 'client-calls.md vdt: and gets another end there',
    given: [ask('PUT /item/VX-1/deletion-lock/VX-1', lock(2999))],
    sent: ask('GET /item/VX-1/deletion-lock/VX-1'),
    json: { expiryTime: expect.stringMatching(/^2999-/) },
  },
  {
    name: 'client-calls.md vdt: a lock is not below another item',
    sent: ask('GET /item/VX-2/deletion-lock/VX-1'),
    status: 404,
  },
  {
    name: 'client-calls.md vdt: and goes there',
    given: [ask('DELETE /item/VX-1/deletion-lock/VX-1')],
    sent: ask('GET /item/VX-1/deletion-lock/VX-1'),
    status: 404,
  },
  {
    name: 'client-calls.md adm vdt: a collection becomes a folder',
    given: [ask('PUT /collection/VX-1/map-to-folder')],
    sent: ask('GET /collection/VX-1/metadata?field=__folder_mapped'),
    contains: ['"value":"true"'],
  },
  {
    name: 'client-calls.md adm vdt: the folder of a collection gets a name, which the answer says',
    sent: ask('PUT /collection/VX-1/folder-name?name=Spots', undefined, text),
    contains: ['Spots'],
  },
  {
    name: 'client-calls.md adm vdt: and is one no longer',
    given: [ask('DELETE /collection/VX-1/map-to-folder')],
    sent: ask('GET /collection/VX-1/metadata?field=__folder_mapped'),
    contains: ['"value":"false"'],
  },
  {
    name: 'client-calls.md vdt: bulky metadata of a component has keys',
    given: [ask(`PUT ${bulky}/loudness?start=0&end=25`, '-23.1', text)],
    sent: ask(`GET ${bulky}`),
    contains: ['loudness'],
  },
  {
    name: 'client-calls.md vdt: and values of one of them',
    sent: ask(`GET ${bulky}/loudness`),
    contains: ['-23.1'],
  },
  {
    name: 'client-calls.md vdt: a project definition is kept as it was sent',
    given: [ask(`PUT ${definition}`, 'a project', bytes), ask(`PUT ${definition}/extradata`, 'beside it', bytes)],
    sent: ask(`GET ${definition}`, undefined, {}),
    contains: ['a project'],
  },
  {
    name: 'client-calls.md vdt: its extra data goes, and it stays',
    given: [ask(`DELETE ${definition}/extradata`), ask(`GET ${definition}`, undefined, {})],
    sent: ask(`GET ${definition}/extradata`, undefined, {}),
    status: 404,
  },
  {
    name: 'client-calls.md vdt: it goes',
    given: [ask(`DELETE ${definition}`)],
    sent: ask(`GET ${definition}`, undefined, {}),
    status: 404,
  },
  {
    name: 'client-calls.md vdt: a media type is taken from a shape',
    given: [
      ask('PUT /item/VX-1/shape/VX-1/mime/video%2Fmp4'),
      ask('PUT /item/VX-1/shape/VX-1/mime/video%2Fquicktime'),
      ask('DELETE /item/VX-1/shape/VX-1/mime/video%2Fmp4'),
    ],
    sent: ask('GET /item/VX-1/shape/VX-1'),
    json: { mimeType: ['video/quicktime'] },
  },
  {
    name: 'client-calls.md vdt: the script of a step is set and read',
    given: [ask(`POST ${steps}?id=20001`, step), ask(`PUT ${steps}/step/100/script`, 'job.log("two")', text)],
    sent: ask(`GET ${steps}/step/100/script`, undefined, javascript),
    contains: ['job.log("two")'],
  },
  {
    name: 'client-calls.md vdt: the steps of a type of jobs have a graph',
    sent: ask(`GET ${steps}/graph`, undefined, { accept: 'text/vnd.graphviz' }),
    contains: ['digraph', '100'],
  },
  {
    name: 'client-calls.md vdt: a step that was added goes',
    given: [ask(`DELETE ${steps}/step/100`)],
    sent: ask(`GET ${steps}/step/100`),
    status: 404,
  },
  {
    name: 'client-calls.md vdt: the script of a shape tag is read',
    given: [ask('PUT /shape-tag/web', {}), ask('PUT /shape-tag/web/script', 'preset.setFormat("mp4")', text)],
    sent: ask('GET /shape-tag/web/script', undefined, javascript),
    contains: ['preset.setFormat("mp4")'],
  },
  {
    name: 'client-calls.md vdt: and goes',
    given: [ask('DELETE /shape-tag/web/script')],
    sent: ask('GET /shape-tag/web/script', undefined, text),
    status: 404,
  },
  {
    name: 'client-calls.md vdt: a namespace of external ids is read by its name',
    given: [ask('PUT /external-id/tape', { pattern: 'T[0-9]+', priority: 3 })],
    sent: ask('GET /external-id/tape'),
    json: { name: 'tape', pattern: 'T[0-9]+', priority: 3 },
  },
  {
    name: 'client-calls.md vdt: the pool of FTP connections is forgotten',
    given: [ask('PUT /configuration/ftp-pool', { pool: { minSize: 7 } }), ask('DELETE /configuration/ftp-pool')],
    sent: ask('GET /configuration/ftp-pool'),
    lacks: ['7'],
  },
  {
    name: 'client-calls.md vdt: a resource is read by its id',
    given: [ask('POST /resource/thumbnail', { thumbnail: { path: ['file:///srv/thumbs/'] } })],
    sent: ask('GET /resource/thumbnail/VX-1'),
    json: { thumbnail: { path: ['file:///srv/thumbs/'] } },
  },
  {
    name: 'client-calls.md adm: a notification of one item is read below it',
    given: [ask('POST /item/VX-2/notification', told)],
    sent: ask('GET /item/VX-2/notification/VX-1'),
    json: { action: { http: { url: 'http://receiver.test/' } }, trigger: { item: { delete: {} } } },
  },
  {
    name: 'client-calls.md adm: and changed there',
    given: [ask('PUT /item/VX-2/notification/VX-1', { ...told, trigger: { item: { create: {} } } })],
    sent: ask('GET /item/VX-2/notification/VX-1'),
    json: { trigger: { item: { create: {} } } },
  },
  {
    name: 'client-calls.md adm: and goes there',
    given: [ask('DELETE /item/VX-2/notification/VX-1')],
    sent: ask('GET /item/VX-2/notification/VX-1'),
    status: 404,
  },
];

describeForms(
  'what a call of a client was for',
  [
    ask('POST /import/placeholder'),
    ask('POST /import/placeholder'),
    ask('POST /collection?name=one'),
    ask('POST /item/VX-1/shape/placeholder?container=1&video=1', {}),
  ],
  forms,
);
