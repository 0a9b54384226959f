import { describe } from 'vitest';
import { openWorld } from '../../support/matrix.ts';
import { itHolds, type Scenario } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';
import { ann, ben, givenTo } from '../../support/world.ts';
import { ask, gives, reads } from './support.ts';

const both = {
  timespan: [
    {
      field: [
        { name: 'title', value: [{ value: 'Harbour' }] },
        { name: 'x_note', value: [{ value: 'secret' }] },
      ],
    },
  ],
};
const of = (field: string) => ({ metadata: { field } });
const title = (value: string) => ({ timespan: [{ field: [{ name: 'title', value: [{ value }] }] }] });
const note = (value: string) => ({ timespan: [{ field: [{ name: 'x_note', value: [{ value }] }] }] });
const described = [
  ask(admin, 'PUT /API/metadata-field/x_note', { type: 'string' }),
  ask(ann, 'POST /API/import/placeholder?container=1', both),
];
const changed = ['metadata/modify', 'VX-1'] as const;

const rows: readonly Scenario[] = [
  {
    name: 'READ for one field shows that field and no other',
    given: [...described, gives(ann, 'item/VX-1', { permission: 'READ', user: 'ben', operation: of('title') })],
    ...reads(ben, 'item/VX-1/metadata'),
    status: 200,
    says: { contains: ['Harbour'], lacks: ['secret', 'x_note'] },
  },
  {
    name: 'READ for one field does not give the item',
    given: [...described, gives(ann, 'item/VX-1', { permission: 'READ', user: 'ben', operation: of('title') })],
    ...reads(ben, 'item/VX-1'),
    status: 403,
  },
  {
    name: 'NONE for one field hides it, also in the document of the item',
    given: [
      ...described,
      gives(ann, 'item/VX-1', { permission: 'READ', user: 'ben' }),
      gives(ann, 'item/VX-1', { permission: 'NONE', user: 'ben', operation: of('x_note') }),
    ],
    ...reads(ben, 'item/VX-1?content=metadata'),
    status: 200,
    says: { contains: ['Harbour'], lacks: ['secret'] },
  },
  {
    name: 'NONE for metadata hides all of it',
    given: [
      ...described,
      gives(ann, 'item/VX-1', { permission: 'READ', user: 'ben' }),
      gives(ann, 'item/VX-1', { permission: 'NONE', user: 'ben', operation: { metadata: {} } }),
    ],
    ...reads(ben, 'item/VX-1/metadata'),
    status: 403,
    says: { contains: ['READ for METADATA on the item'] },
  },
  {
    name: 'WRITE for one field writes that field',
    given: [...described, gives(ann, 'item/VX-1', { permission: 'WRITE', user: 'ben', operation: of('title') })],
    ...ask(ben, 'PUT /API/item/VX-1/metadata', title('Port')),
    status: 200,
    events: [changed],
  },
  {
    name: 'WRITE for one field writes no other',
    given: [...described, gives(ann, 'item/VX-1', { permission: 'WRITE', user: 'ben', operation: of('title') })],
    ...ask(ben, 'PUT /API/item/VX-1/metadata', note('open')),
    status: 403,
  },
  {
    name: 'NONE for a shape tag hides shapes with that tag',
    given: [
      ...described,
      gives(ann, 'item/VX-1', { permission: 'READ', user: 'ben' }),
      gives(ann, 'item/VX-1', { permission: 'NONE', user: 'ben', operation: { shape: { tag: 'original' } } }),
    ],
    ...reads(ben, 'item/VX-1/shape?placeholder=all'),
    status: 200,
    says: { json: {} },
  },
  {
    name: 'READ for a shape tag shows shapes with that tag',
    given: [
      ...described,
      gives(ann, 'item/VX-1', { permission: 'READ', user: 'ben', operation: { shape: { tag: 'original' } } }),
    ],
    ...reads(ben, 'item/VX-1/shape?placeholder=all'),
    status: 200,
    says: { json: { uri: ['VX-1'] } },
  },
  {
    name: 'NONE for URIs keeps addresses',
    given: [
      ...described,
      gives(ann, 'item/VX-1', { permission: 'READ', user: 'ben' }),
      gives(ann, 'item/VX-1', { permission: 'NONE', user: 'ben', operation: { uri: {} } }),
    ],
    ...reads(ben, 'item/VX-1/uri'),
    status: 403,
  },
  {
    name: 'content=access tells the level for each kind of operation',
    given: [
      ...described,
      gives(ann, 'item/VX-1', { permission: 'READ', user: 'ben' }),
      gives(ann, 'item/VX-1', { permission: 'WRITE', user: 'ben', operation: { metadata: {} } }),
    ],
    ...reads(ben, 'item/VX-1?content=access'),
    status: 200,
    says: {
      jsonPart: {
        access: [
          { type: 'GENERIC', permission: 'READ' },
          { type: 'METADATA', permission: 'WRITE' },
          { type: 'SHAPE', permission: 'READ' },
          { type: 'URI', permission: 'READ' },
        ],
      },
    },
  },
];

describe('entries for one kind of operation', () => {
  itHolds({ name: 'fetch', open: (options) => openWorld('fetch', options) }, rows, { given: givenTo('access') });
});
