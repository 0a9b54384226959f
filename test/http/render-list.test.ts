import { expect, it } from 'vitest';
import { attribute, document, element, list, string, structure } from '../../src/core/documents/describe.ts';
import { type Description, writeJson, writeXml } from '../../src/core/documents/index.ts';
import type { MediaType } from '../../src/http/negotiation.ts';
import { renderList, renderWhole, streamList } from '../../src/http/render-list.ts';
import { type Reply, typed } from '../../src/http/reply.ts';
import { userListDocument } from '../../src/identity/documents.ts';

const render = <T>(type: MediaType, description: Description<T>, value: T): Reply =>
  typed(type, type === 'application/json' ? writeJson(description, value) : writeXml(description, value, 'urn:"x"'));

const users = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    userName: `<user> ${n}`,
    groupList: { group: [{ groupName: `"g"],}${n}` }] },
  }));

it.each(['application/xml', 'application/json'])(
  'a long list in %s is the text of the whole document',
  async (type) => {
    for (const count of [0, 1, 100, 101, 250, 300]) {
      for (const hits of [undefined, count]) {
        const value = { hits, user: users(count) };
        const sliced = await renderList(render, type, userListDocument, value, 'user');
        const text = [sliced.body].flat().join('');
        expect({ ...sliced, body: text }, `${count} ${hits}`).toEqual(render(type, userListDocument, value));
      }
    }
  },
);

const letters = document('LettersDocument', {
  size: attribute(string),
  first: element(string),
  letter: list(structure('LetterType', { name: element(string) })),
  last: element(string),
});

it.each(['application/xml', 'application/json'])('a long list in %s stays between its neighbours', async (type) => {
  for (const more of [{}, { size: 'A4', first: 'a', last: 'z' }, { first: 'a' }, { last: 'z' }, { size: 'A4' }]) {
    const value = { ...more, letter: Array.from({ length: 101 }, (_, n) => ({ name: `<${n}>` })) };
    const sliced = await renderList(render, type, letters, value, 'letter');
    const text = [sliced.body].flat().join('');
    expect({ ...sliced, body: text }).toEqual(render(type, letters, value));
  }
});

const nested = structure('NestedType', {
  mark: attribute(string),
  name: element(string),
  letter: list(structure('LetterType', { name: element(string), size: attribute(string) })),
  inner: element(structure('InnerType', { letter: list(structure('InnerLetterType', { name: element(string) })) })),
  last: element(string),
});
const nestedList = document('NestedListDocument', {
  hits: element(string),
  nested: list(nested),
  tail: element(string),
});
const lettersOf = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `<${n}>`, size: `"${n}"` }));

it.each(['application/xml', 'application/json'])(
  'a long document in %s comes in turns, as the text of the whole document',
  async (type) => {
    const letter = lettersOf(2500);
    for (const value of [
      { letter },
      { size: '"1"', first: '<a>', letter, inner: { letter }, last: 'z' },
      { size: '2' },
    ]) {
      const whole = await renderWhole(render, type, letters, value);
      const text = [whole.body].flat().join('');
      expect({ ...whole, body: text }).toEqual(render(type, letters, value));
    }
    const { body } = await renderWhole(render, type, letters, { letter: lettersOf(5000) });
    expect([body].flat().length).toBeGreaterThan(1);
  },
);

it.each(['application/xml', 'application/json'])(
  'an entry in %s that is as long as thousands of others comes in turns, as the text of the whole document',
  async (type) => {
    const long = { mark: 'a"b', name: 'x', letter: lettersOf(2500), inner: { letter: lettersOf(2000) }, last: 'z' };
    for (const entries of [[long], [{ name: 'a' }, long, { last: 'b' }], [long, long], [{ letter: lettersOf(1500) }]]) {
      const value = { hits: '1', nested: entries, tail: 't' };
      const sliced = await renderList(render, type, nestedList, value, 'nested');
      const text = [sliced.body].flat().join('');
      expect({ ...sliced, body: text }).toEqual(render(type, nestedList, value));
    }
    const { body } = await renderList(render, type, nestedList, { nested: [long] }, 'nested');
    expect([body].flat().length).toBeGreaterThan(2);
  },
);

it('gives the loop back between its slices', async () => {
  let turns = 0;
  let running = true;
  const count = () => {
    turns++;
    if (running) setImmediate(count);
  };
  setImmediate(count);
  await renderList(render, 'application/xml', userListDocument, { user: users(1_000) }, 'user');
  running = false;
  expect(turns).toBeGreaterThanOrEqual(9);
});

it.each(['application/xml', 'application/json'])(
  'a list of pages in %s streams the text of the whole document',
  async (type) => {
    for (const count of [0, 1, 100, 101, 250, 600]) {
      const all = users(count);
      const pages = async function* () {
        for (let at = 0; at < count; at += 250) {
          yield all.slice(at, at + 250);
          yield [];
        }
      };
      const { body, ...rest } = await streamList(render, type, userListDocument, 'user', pages());
      const whole = render(type, userListDocument, { user: all });
      expect(await new Response(body.bytes()).text(), `${count}`).toBe(whole.body);
      expect(rest).toEqual({ status: 200, type });
    }
  },
);

it('a stream whose first page fails is a refusal, and one that is cancelled reads no more', async () => {
  const failing = async function* (): AsyncGenerator<readonly unknown[], void> {
    yield* [];
    throw new Error('no page');
  };
  await expect(streamList(render, 'application/json', userListDocument, 'user', failing())).rejects.toThrow('no page');
  let read = 0;
  let closed = false;
  const endless = async function* () {
    try {
      for (;;) {
        read++;
        yield users(10);
      }
    } finally {
      closed = true;
    }
  };
  const { body } = await streamList(render, 'application/json', userListDocument, 'user', endless());
  const reader = body.bytes().getReader();
  await reader.read();
  await reader.cancel();
  expect([read, closed]).toEqual([1, true]);
});

it.each(['application/xml', 'application/json'])(
  'a text in %s that is longer than its pieces keeps all its characters',
  async (type) => {
    for (const name of ['é', '😀', '"', '\\', '<', '\r', '\u0000', '\ud800', '\u2028']) {
      for (const shift of [0, 1]) {
        const value = { nested: [{ name: 'x'.repeat(shift) + `ab${name}`.repeat(150_000) }] };
        const { body } = await renderList(render, type, nestedList, value, 'nested');
        const chunks = [body].flat() as string[];
        expect(chunks.join('') === (render(type, nestedList, value).body as string), JSON.stringify(name)).toBe(true);
        expect(chunks.length).toBeGreaterThan(3);
      }
    }
  },
);
