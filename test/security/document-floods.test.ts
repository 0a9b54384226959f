import { newGroup, newUser } from '../support/cast.ts';
import { describeMatrix } from '../support/matrix.ts';
import { itHolds, type Scenario } from '../support/scenario.ts';
import { admin } from '../support/service.ts';

/** Before, each entry became a statement, and the writer ran all of them to find that they are too many. */
const entries = (count: number, entry: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => entry(index)).join('');

const put = (target: string, body: string) => ({
  as: admin,
  request: `PUT /API${target}`,
  headers: { 'content-type': 'application/xml' },
  body,
});
const pairs = entries(19_000, (index) => `<field><key>${index}</key><value>v</value></field>`);
const children = entries(20_000, (index) => `<group><groupName>${index}</groupName></group>`);

const rows: readonly Scenario[] = [
  {
    name: '19,000 key-value pairs are refused at the first one too many, before the writer sees any',
    ...put('/user/plain/metadata', `<SimpleMetadataDocument>${pairs}</SimpleMetadataDocument>`),
    status: 400,
    answers: { 'portico-error': 'bad-document' },
    says: { contains: ['/SimpleMetadataDocument/field[1001]', 'Expected at most 1000 elements "field"'] },
  },
  {
    name: '20,000 children that are no groups are refused at the first one too many',
    ...put('/group/crew', `<GroupDocument><childGroupList>${children}</childGroupList></GroupDocument>`),
    status: 400,
    answers: { 'portico-error': 'bad-document' },
    says: { contains: ['childGroupList/group[1001]', 'Expected at most 1000 elements "group"'] },
  },
];

describeMatrix('a flood of entries in a document', (entry) => {
  itHolds(entry, rows, { given: [newUser(['plain', 'p']), newGroup('crew')] });
});
