import { describeMatrix } from '../support/matrix.ts';
import { itHolds, type Scenario } from '../support/scenario.ts';
import { admin } from '../support/service.ts';

/** The body as text: `JSON.stringify` would round the number before it is sent. */
const post = (name: string) => ({
  as: admin,
  request: 'POST /API/user',
  headers: { 'content-type': 'application/json' },
  body: `{"userName":${name}}`,
});
const made = (name: string): Scenario => ({
  name: `the number ${name} becomes a user of exactly these digits`,
  ...post(name),
  status: 200,
  events: [['user/create', name]],
});
const refused = (what: string, digits: string): Scenario => ({
  name: `${what} is refused as a name`,
  ...post(digits),
  status: 400,
  answers: { 'portico-error': 'bad-value' },
});

const rows: readonly Scenario[] = [
  made('12345678901234567890'),
  made('9007199254740993'),
  made('1e400'),
  refused('a number of a million digits, which a double holds as infinity,', '7'.repeat(1_000_000)),
  {
    name: 'a number that would be rounded cannot become the name of somebody else',
    ...post('9007199254740993'),
    given: [post('9007199254740992')],
    status: 200,
    events: [['user/create', '9007199254740993']],
  },
];

describeMatrix('a number in place of a name', (entry) => itHolds(entry, rows));
