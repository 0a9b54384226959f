import { expect, it } from 'vitest';
import { rules } from '../../security/roles/rules.ts';
import { newUser } from '../../support/cast.ts';
import { openWorld, type Sent, type World } from '../../support/matrix.ts';
import { prepare } from '../../support/scenario.ts';
import { admin } from '../../support/service.ts';

const json = { accept: 'application/json', 'content-type': 'application/json' };
const itemsIn = async ({ service }: World): Promise<number> =>
  Number((await service.store.read('SELECT count(*) FROM item'))[0]![0]);

type Request = ReturnType<(typeof rules)[number]['request']>;

/** Other forms of a request, which go other ways to an item. */
const forms: readonly ((sent: Request, who: string) => Request | undefined)[] = [
  (sent) => sent,
  (sent) =>
    sent.request.includes('destinationItem=')
      ? { ...sent, request: sent.request.replace(/&?destinationItem=[^&]*/, '') }
      : undefined,
  (sent, who) =>
    sent.body === 'bytes'
      ? {
          ...sent,
          request: `${sent.request}${sent.request.includes('?') ? '&' : '?'}transferId=${who}`,
          headers: { ...sent.headers, size: '5', index: '0' },
        }
      : undefined,
  (sent) =>
    sent.request === 'POST /API/upload'
      ? {
          ...sent,
          headers: {
            ...sent.headers,
            'content-type': 'application/offset+octet-stream',
            'upload-metadata': `import ${btoa('true')},filename ${btoa('clip.txt')}`,
          },
          body: 'hello world',
        }
      : undefined,
];

/** Every route that changes something, with a request that succeeds: the table of roles has one for each. */
const writing = rules
  .filter(({ route }) => !/^(?:GET|DELETE) /.test(route))
  .flatMap((rule) => forms.map((form, number) => ({ ...rule, number, form })));

it('every way that makes an item is refused by an enforced rule, and makes none', {
  timeout: 300_000,
}, async () => {
  const world = await openWorld('fetch');
  const make = async (rule: (typeof writing)[number], who: string) => {
    await prepare(world, [newUser([who, 'p']), ...(rule.given?.(who) ?? [])]);
    await rule.rows?.(world, who, admin[0]);
    const before = await itemsIn(world);
    const request = rule.form(rule.request(who), who);
    return { before, sent: request && ({ as: admin, ...request } as Sent) };
  };
  const makers: string[] = [];
  for (const [at, rule] of writing.entries()) {
    const first = await make(rule, `maker-${at}`);
    if (!first.sent) continue;
    const { status } = await world.send(first.sent);
    // A request that is refused anyway shows nothing about items.
    if (/import|render|conform/.test(rule.route))
      expect([rule.route, status]).toEqual([rule.route, rule.allowed ?? 200]);
    if ((await itemsIn(world)) === first.before) continue;
    makers.push(`${rule.route}${rule.number === 0 ? '' : ` (form ${rule.number})`}`);
    const { before, sent } = await make(rule, `again-${at}`);
    const enforced = { user: admin[0], enforce: true, resource: [{ name: 'item', limit: 1 }] };
    const made = await world.send({
      as: admin,
      headers: json,
      request: 'POST /API/quota',
      body: JSON.stringify(enforced),
    });
    const { id } = JSON.parse(made.body) as { id: string };
    const sequence = await world.sequence();
    const answer = await world.send(sent!);
    expect([rule.route, answer.status, await itemsIn(world)], answer.body).toEqual([rule.route, 507, before]);
    const told = (await world.events(sequence)).map(({ name }) => name);
    expect(told.filter((name) => !name.startsWith('file/'))).toEqual([]);
    await prepare(world, [{ as: admin, request: `DELETE /API/quota/${id}` }]);
  }
  expect(makers).toMatchInlineSnapshot(`
    [
      "POST /sequence/render (form 1)",
      "POST /upload (form 3)",
      "POST /import/project/sequence",
      "POST /import",
      "POST /import/raw",
      "POST /import/raw (form 2)",
      "POST /import/raw-passkey",
      "POST /storage/:storage/import",
      "POST /file/:file/import",
      "POST /conform (form 1)",
      "POST /import/placeholder",
    ]
  `);
});
