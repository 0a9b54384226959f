import { newItem } from '../../support/assets.ts';
import { describeMatrix } from '../../support/matrix.ts';
import { by, json, plain } from '../../support/requests.ts';
import { itHolds, type Scenario } from '../../support/scenario.ts';
import { givenTo, owner, stranger } from '../../support/world.ts';

const relate = (query: string, one = 'VX-1', other = 'VX-2', as = owner) =>
  by(`POST /API/item/${one}/relation/${other}?${query}`, undefined, json, as);
const ofItem = (query = '', as = owner) => by(`GET /API/item/VX-1/relation${query}`, undefined, json, as);
const items = [newItem('', owner), newItem('', owner), newItem('', owner)];
const relation = (source: string, target: string, type: string) => ({ direction: { source, target, type } });

const rows: readonly Scenario[] = [
  {
    name: 'direction S relates the first item to the second, and other parameters are metadata',
    ...relate('direction=S&type=sequel&note=a%3Db'),
    status: 200,
    answers: { 'portico-ignored': null },
    says: {
      json: {
        id: 'VX-1',
        direction: { source: 'VX-1', target: 'VX-2', type: 'D' },
        value: [
          { key: 'type', value: 'sequel' },
          { key: 'note', value: 'a=b' },
        ],
      },
    },
  },
  {
    name: 'direction T relates them the other way',
    ...relate('direction=T'),
    status: 200,
    says: { jsonPart: relation('VX-2', 'VX-1', 'D') },
  },
  {
    name: 'direction U relates them in no direction',
    ...relate('direction=u'),
    status: 200,
    says: { jsonPart: relation('VX-1', 'VX-2', 'U') },
  },
  { name: 'a relation has a direction', ...relate('type=x'), status: 400 },
  {
    name: 'an item has no relation to itself',
    ...relate('direction=S', 'VX-1', 'VX-1'),
    status: 400,
  },
  {
    name: 'an unknown item has none',
    ...relate('direction=S', 'VX-1', 'VX-9'),
    status: 404,
  },
  {
    name: 'an equal relation is answered again',
    given: [relate('direction=U&k=v&k=w')],
    ...relate('direction=U&k=w&k=v&allowDuplicate=false', 'VX-2', 'VX-1'),
    status: 200,
    says: { jsonPart: { id: 'VX-1' } },
  },
  {
    name: 'another one is made beside it',
    given: [relate('direction=U&k=v')],
    ...relate('direction=U&k=w&allowDuplicate=false'),
    status: 200,
    says: { jsonPart: { id: 'VX-2' } },
  },
  { name: 'no relations are an empty list', ...ofItem(), status: 200, says: { json: { relation: [] } } },
  {
    name: 'relations are listed by direction',
    given: [relate('direction=S'), relate('direction=T'), relate('direction=U', 'VX-3', 'VX-1')],
    ...ofItem('?direction=T'),
    status: 200,
    says: { jsonPart: { relation: [{ id: 'VX-2' }] } },
  },
  ...(['A,VX-1 VX-2 VX-3', 'D,VX-1 VX-2', 'U,VX-3', 'S,VX-1'] as const).map((line): Scenario => {
    const [direction, ids] = line.split(',') as [string, string];
    return {
      name: `direction ${direction} as text`,
      given: [relate('direction=S'), relate('direction=T'), relate('direction=U', 'VX-3', 'VX-1')],
      ...by(`GET /API/item/VX-1/relation?direction=${direction}`, undefined, plain),
      status: 200,
      says: {
        exact: ids
          .split(' ')
          .map((id) => `${id}\r\n`)
          .join(''),
      },
    };
  }),
  {
    name: 'relations are listed by their metadata',
    given: [relate('direction=S&type=a'), relate('direction=S&type=b'), relate('direction=S&type=b&more=c')],
    ...ofItem('?type=b&more=c'),
    status: 200,
    says: {
      json: {
        relation: [
          {
            id: 'VX-3',
            ...relation('VX-1', 'VX-2', 'D'),
            value: [
              { key: 'type', value: 'b' },
              { key: 'more', value: 'c' },
            ],
          },
        ],
      },
    },
  },
  {
    name: 'an empty value removes a key, and a direction turns the relation',
    given: [relate('direction=S&a=1&b=2')],
    ...by('PUT /API/relation/VX-1?a=&c=3&direction=T', undefined, json, owner),
    status: 200,
    says: { jsonPart: { ...relation('VX-2', 'VX-1', 'D'), value: [{ key: 'b' }, { key: 'c' }] } },
  },
  {
    name: 'a relation is read',
    given: [relate('direction=S')],
    ...by('GET /API/relation/VX-1', undefined, json, owner),
    status: 200,
    says: { jsonPart: relation('VX-1', 'VX-2', 'D') },
  },
  { name: 'an unknown relation is not found', ...by('GET /API/relation/VX-9'), status: 404 },
  {
    name: 'a removed relation is gone',
    given: [relate('direction=S'), by('DELETE /API/relation/VX-1')],
    ...by('GET /API/relation/VX-1'),
    status: 404,
  },
  {
    name: 'the relations of an item are removed by direction',
    given: [relate('direction=S'), relate('direction=U'), by('DELETE /API/item/VX-1/relation?direction=S')],
    ...ofItem(),
    status: 200,
    says: { json: { relation: [{ id: 'VX-2', ...relation('VX-1', 'VX-2', 'U'), value: [] }] } },
  },
  {
    name: 'the relations to one item are removed',
    given: [relate('direction=S'), relate('direction=S', 'VX-1', 'VX-3'), by('DELETE /API/item/VX-1/relation/VX-2')],
    ...ofItem(),
    status: 200,
    says: { jsonPart: { relation: [{ id: 'VX-2' }] } },
  },
  {
    name: 'relations go with either item',
    given: [relate('direction=S'), relate('direction=T', 'VX-1', 'VX-3'), by('DELETE /API/item/VX-2')],
    ...ofItem(),
    status: 200,
    says: { jsonPart: { relation: [{ id: 'VX-2' }] } },
  },
  {
    name: 'a document relates items',
    ...by(
      'POST /API/relation',
      {
        relation: [
          { ...relation('VX-1', 'VX-2', 'U'), value: [{ key: 'k', value: 'v' }] },
          relation('VX-3', 'VX-1', 'D'),
        ],
      },
      json,
      owner,
    ),
    status: 200,
    says: { jsonPart: { relation: [{ id: 'VX-1', value: [{ key: 'k' }] }, { id: 'VX-2' }] } },
  },
  {
    name: 'a document relates all or nothing',
    given: [],
    ...by('POST /API/relation', { relation: [relation('VX-1', 'VX-2', 'U'), relation('VX-1', 'VX-9', 'U')] }),
    status: 404,
  },
  {
    name: 'only relations to readable items are listed',
    given: [newItem('', stranger), by('POST /API/item/VX-1/relation/VX-4?direction=S'), relate('direction=S')],
    ...ofItem(),
    status: 200,
    says: { jsonPart: { relation: [{ id: 'VX-2' }] }, lacks: ['VX-4'] },
  },
  {
    name: 'an item is not related to one that the caller does not see',
    given: [newItem('', stranger)],
    ...relate('direction=S', 'VX-1', 'VX-4'),
    status: 403,
  },
];

describeMatrix('relations of items', (entry) => itHolds(entry, rows, { given: [...givenTo('assets'), ...items] }));
