import { describe, expect, it } from 'vitest';
import { defaultLimits } from '../../../../src/core/documents/index.ts';
import { runRule } from '../../../../src/extensions/stylesheets/auto-projections/run-rule.ts';
import { by, jsonOf, send } from '../../../support/requests.ts';
import {
  capitals,
  changesOf,
  failureOf,
  fieldOf,
  itemMetadata,
  opened,
  request,
  rule,
  setField,
  setRule,
  styled,
  textOf,
  waiting,
} from '../support.ts';

describe('an auto-projection rule', () => {
  it('carries out stylesheets and scripts, one behind the other', async () => {
    const world = await opened();
    const title = `<vs:value><xsl:value-of select="upper-case(*/vs:metadata/vs:timespan/vs:field[vs:name = 'title']/vs:value)"/></vs:value>`;
    const of = (name: string, value: string) =>
      `<vs:timespan start="-INF" end="+INF"><vs:field><vs:name>${name}</vs:name>${value}</vs:field></vs:timespan>`;
    const old = `<vs:value><xsl:value-of select="*/vs:targetId, *//vs:oldMetadata//vs:field[vs:name = 'title']/vs:value"/></vs:value>`;
    const step = [
      {
        order: 2,
        xslt: styled(`<vs:MetadataDocument>${of('x_shout', title)}${of('x_echo', old)}</vs:MetadataDocument>`),
      },
      {
        order: 1,
        script: 'wrapper.metadata.timespan[0].field.find(({ name }) => name === "title").value[0].value = "quay";',
      },
    ];
    await setField(world, 'title', 'Before');
    await setRule(world, 'titles', { step, triggers: itemMetadata, inputFilters: { inputFilter: ['oldMetadata'] } });
    await setField(world, 'title', 'Harbour');
    await world.service.tick();
    expect([await textOf(world, 'x_shout'), await textOf(world, 'x_echo')]).toEqual(['QUAY', 'VX-1 Before']);
    expect((await failureOf(world, 'titles')).failureMessage).toBeUndefined();
  });

  it('writes what its script changes as a change set of its own, which names the rule', async () => {
    const world = await opened();
    await setRule(world, 'titles', rule(capitals('title', 'x_shout')));
    const before = await world.sequence();
    await setField(world, 'title', 'Harbour');
    expect(await textOf(world, 'x_shout')).toBeUndefined();
    await world.service.tick();
    expect(await fieldOf(world, 'x_shout')).toMatchObject({
      user: 'auto-projection/titles',
      value: [{ value: 'HARBOUR' }],
    });
    const changes = await changesOf(world, before);
    expect(changes.map(({ entity, user }) => `${entity} ${user}`)).toEqual([
      'VX-1 admin',
      'VX-1 auto-projection/titles',
    ]);
    const search = { field: [{ name: 'x_shout', value: [{ value: 'HARBOUR' }] }] };
    const found = await send(world, by('PUT /API/item', search));
    expect(JSON.parse(found.body)).toMatchObject({ hits: 1 });
  });

  it('is not started by what a rule wrote, and sees what the rules before it wrote', async () => {
    const world = await opened();
    await setRule(world, 'a', rule(capitals('title', 'x_shout')));
    await setRule(world, 'b', rule(capitals('x_shout', 'x_echo')));
    // If changes by rules started rules, these random titles would never come to rest.
    await setRule(
      world,
      'c',
      rule(
        `wrapper.metadata = { timespan: [{ field: [{ name: 'title', value: [{ value: 'x' + Math.random() }] }] }] }`,
      ),
    );
    await setField(world, 'title', 'Harbour');
    const before = await world.sequence();
    for (let tick = 0; tick < 3; tick++) await world.service.tick();
    expect([await textOf(world, 'x_shout'), await textOf(world, 'x_echo')]).toEqual(['HARBOUR', 'HARBOUR']);
    expect((await changesOf(world, before)).map(({ user }) => user)).toEqual(
      ['a', 'b', 'c'].map((name) => `auto-projection/${name}`),
    );
    expect(await waiting(world)).toBe(0);
  });

  it('changes a value where it is, and leaves alone what it does not name', async () => {
    const world = await opened();
    await setField(world, 'x_echo', 'stays');
    await setRule(
      world,
      'trim',
      rule(`
      for (const span of wrapper.getMetadata().getTimespan())
        for (const field of span.getField())
          if (field.getName() === 'title') field.getValue().get(0).setValue(field.getValue().get(0).getValue().trim());`),
    );
    await setField(world, 'title', '  Harbour ');
    const uuid = (await fieldOf(world, 'title'))!;
    await world.service.tick();
    expect([await textOf(world, 'title'), await textOf(world, 'x_echo')]).toEqual(['Harbour', 'stays']);
    expect(await fieldOf(world, 'title')).toMatchObject({ uuid: (uuid as { uuid?: string }).uuid });
    const before = await world.sequence();
    // Nothing is left to change, so nothing happens.
    await setField(world, 'x_echo', 'again');
    await world.service.tick();
    expect(await changesOf(world, before)).toHaveLength(1);
  });

  it('takes steps in their order, each with what the one before left', async () => {
    const world = await opened();
    const step = [
      {
        order: 2,
        script: `wrapper.metadata = { timespan: [{ field: [{ name: 'x_shout', value: [{ value: wrapper.said + ' two' }] }] }] }`,
      },
      { order: 1, script: `wrapper.said = 'one'` },
    ];
    await setRule(world, 'steps', { step, triggers: itemMetadata });
    await setField(world, 'title', 'Harbour');
    await world.service.tick();
    expect(await textOf(world, 'x_shout')).toBe('one two');
  });

  it('sees the metadata before all changes that it has not seen, and the shapes, where it asks for them', async () => {
    const world = await opened();
    await setField(world, 'title', 'First');
    const script = `
      const titleIn = (metadata) => metadata.timespan.flatMap((span) => span.field).find(({ name }) => name === 'title')?.value[0].value;
      const told = [titleIn(wrapper.oldMetadata.item[0].metadata), titleIn(wrapper.metadata), wrapper.shape.length, wrapper.targetId];
      wrapper.metadata = { timespan: [{ field: [{ name: 'x_echo', value: [{ value: told.join() }] }] }] };`;
    await setRule(world, 'old', rule(script, { inputFilters: { inputFilter: ['oldMetadata', 'shapeDocument'] } }));
    await setField(world, 'title', 'Second');
    await setField(world, 'title', 'Third');
    await world.service.tick();
    expect(await textOf(world, 'x_echo')).toBe('First,Third,0,VX-1');
    const seen = `wrapper.metadata = { timespan: [{ field: [{ name: 'x_echo', value: [{ value: Object.keys(wrapper).join() }] }] }] }`;
    await setRule(world, 'old', rule(seen));
    await setField(world, 'title', 'Fourth');
    await world.service.tick();
    expect(await textOf(world, 'x_echo')).toBe('metadata,targetId');
  });

  it('also concerns new items, and no item while it is switched off or gone', async () => {
    const world = await opened();
    await setRule(world, 'titles', rule(capitals('title', 'x_shout')));
    const metadata = { timespan: [{ field: [{ name: 'title', value: [{ value: 'new' }] }] }] };
    await send(world, by('POST /API/import/placeholder', metadata));
    await world.service.tick();
    expect(await textOf(world, 'x_shout', 'VX-2')).toBe('NEW');
    await send(world, by(`PUT ${request}/titles/disable`));
    await setField(world, 'title', 'unseen', 'VX-2');
    expect(await waiting(world)).toBe(0);
    await send(world, by(`PUT ${request}/titles/enable`));
    await world.service.tick();
    expect(await textOf(world, 'x_shout', 'VX-2')).toBe('NEW');
    await setField(world, 'title', 'late', 'VX-2');
    await send(world, by(`DELETE ${request}/titles`));
    await world.service.tick();
    expect([await textOf(world, 'x_shout', 'VX-2'), await waiting(world)]).toEqual(['NEW', 0]);
  });

  it('of another trigger does not start', async () => {
    const world = await opened();
    const triggers = { trigger: ['bulkyMetadata', 'shapeMetadata'] };
    await setRule(world, 'others', rule(capitals('title', 'x_shout'), { triggers }));
    await setField(world, 'title', 'Harbour');
    await world.service.tick();
    expect(await textOf(world, 'x_shout')).toBeUndefined();
  });

  it('is started by bulky metadata of an item, a shape and a component, and sees the keys that match', async () => {
    const world = await opened();
    await send(world, by('POST /API/item/VX-1/shape/create?tag=original', { videoComponent: [{}] }));
    const { videoComponent } = await jsonOf<{ videoComponent: { id: string }[] }>(
      world,
      'GET /API/item/VX-1/shape/VX-1',
    );
    const script = `
      const { field, id } = wrapper.bulkyMetadata;
      const said = [wrapper.targetId === id, ...field.map(({ key, value, start }) => key + '=' + value + '@' + start)].join();
      wrapper.metadata = { timespan: [{ field: [{ name: 'x_echo', value: [{ value: said }] }] }] };`;
    const inputFilters = { bulkyMetadataKeysRegex: 'lou.*' };
    const answer = await setRule(
      world,
      'bulky',
      rule(script, { triggers: { trigger: ['bulkyMetadata'] }, inputFilters }),
    );
    expect(answer.headers.get('portico-ignored')).toBeNull();
    const shape = '/item/VX-1/shape/VX-1';
    for (const [number, path] of ['/item/VX-1', shape, `${shape}/component/${videoComponent[0]!.id}`].entries()) {
      const field = ['loud', 'x_loud', 'lou'].map((key) => ({ key, value: `${number}`, start: '5', end: '6' }));
      await send(world, by(`PUT /API${path}/metadata/bulky`, { field }));
      await world.service.tick();
      expect(await textOf(world, 'x_echo'), path).toBe(`true,lou=${number}@5,loud=${number}@5`);
    }
    await send(world, by('DELETE /API/item/VX-1/metadata/bulky'));
    await world.service.tick();
    expect(await textOf(world, 'x_echo')).toBe('true');
    await setRule(
      world,
      'bulky',
      rule(script, { triggers: { trigger: ['bulkyMetadata'] }, inputFilters: { bulkyMetadataKeysRegex: '(' } }),
    );
    await send(world, by('PUT /API/item/VX-1/metadata/bulky/loud', '7', { 'content-type': 'text/plain' }));
    await world.service.tick();
    expect((await failureOf(world, 'bulky')).failureMessage).toMatch(/^VX-1: In bulkyMetadataKeysRegex: SyntaxError/);
  });

  it('is started by the key-value metadata of a shape, and sees it', async () => {
    const world = await opened();
    const script = `
      const { key, value } = wrapper.shapeMetadata.field[0];
      const said = [key, value, wrapper.targetId, wrapper.oldMetadata.item.length].join();
      wrapper.metadata = { timespan: [{ field: [{ name: 'x_echo', value: [{ value: said }] }] }] };`;
    const more = { triggers: { trigger: ['shapeMetadata'] }, inputFilters: { inputFilter: ['oldMetadata'] } };
    await send(world, by('POST /API/item/VX-1/shape/create?tag=original', {}));
    await setRule(world, 'shapes', rule(script, more));
    const [shape] = (await jsonOf<{ uri: string[] }>(world, 'GET /API/item/VX-1/shape')).uri;
    const before = await world.sequence();
    await send(world, by(`PUT /API/item/VX-1/shape/${shape}/metadata/colour`, 'red', { 'content-type': 'text/plain' }));
    await world.service.tick();
    expect(await textOf(world, 'x_echo')).toBe(`colour,red,${shape},1`);
    expect((await world.events(before)).map(({ name, user }) => `${name} ${user}`)).toEqual([
      'shape/modify admin',
      'metadata/modify auto-projection/shapes',
    ]);
  });

  it('of an item that was deleted meanwhile does nothing', async () => {
    const world = await opened();
    await setRule(world, 'titles', rule(capitals('title', 'x_shout')));
    await setField(world, 'title', 'Harbour');
    await send(world, by('DELETE /API/item/VX-1'));
    await world.service.tick();
    expect([await waiting(world), (await failureOf(world, 'titles')).lastFailure]).toEqual([0, undefined]);
  });

  it('runs again for what changes while another instance has the item', async () => {
    const world = await opened();
    await setRule(world, 'titles', rule(capitals('title', 'x_shout')));
    await setField(world, 'title', 'Harbour');
    const taken = world.clock.now() + 60_000;
    const take = { sql: `UPDATE auto_projection_due SET due = ?, later = ''`, args: [taken] };
    await world.service.store.commit({ changes: [take], events: [] }, { user: 'test' });
    await setField(world, 'title', 'Bridge');
    await world.service.tick();
    expect([await textOf(world, 'x_shout'), await waiting(world)]).toEqual([undefined, 1]);
    await world.clock.advance(60_001);
    await world.service.tick();
    expect([await textOf(world, 'x_shout'), await waiting(world)]).toEqual(['BRIDGE', 0]);
  });
});

it('what changes while rules are carried out is carried out behind them', async () => {
  const world = await opened();
  await setRule(world, 'titles', rule(capitals('title', 'x_shout')));
  await setField(world, 'title', 'Harbour');
  const { store } = world.service;
  const commit = store.commit.bind(store);
  let seen = 0;
  Object.assign(store, {
    commit: async (...given: Parameters<typeof commit>) => {
      const isEnd = given[0].changes.some(({ sql }) => /^DELETE FROM "?auto_projection_due/.test(sql));
      if (isEnd && seen++ === 0) await setField(world, 'title', 'Bridge');
      return commit(...given);
    },
  });
  await world.service.tick();
  expect([seen, await textOf(world, 'x_shout'), await waiting(world)]).toEqual([2, 'BRIDGE', 0]);
});

it('a rule writes what it changed alone, so that it takes back nothing that others changed meanwhile', async () => {
  const field = (name: string, value: string) => ({ name, uuid: `${name}-uuid`, value: [{ uuid: 'v', value }] });
  const group = [
    { name: 'cast', uuid: 'g1', field: [field('x_name', 'Ann'), field('x_part', 'Eve')] },
    { name: 'cast', uuid: 'g2', field: [field('x_name', 'Bob')] },
  ];
  const timespan = [
    { start: '-INF', end: '+INF', field: [field('title', 'a'), field('x_echo', 'b')], group },
    { start: '0', end: '5', field: [field('title', 'c')], group: [] },
  ];
  const script = `
    const [all, five] = wrapper.metadata.timespan;
    all.field[1].value[0].value = 'changed';
    all.group[0].field[1].value[0].value = 'Ada';
    all.group.push({ name: 'crew', field: [] });
    five.field = [];`;
  const metadata = { timespan };
  const input = { metadata, wrapper: { metadata: JSON.parse(JSON.stringify(metadata)) }, told: {} };
  const styling = { now: 0, namespace: 'urn:portico:schema' };
  expect(await runRule({ step: [{ script }] }, input, defaultLimits, styling)).toEqual({
    timespan: [
      {
        start: '-INF',
        end: '+INF',
        field: [field('x_echo', 'changed')],
        group: [
          { name: 'cast', uuid: 'g1', field: [field('x_part', 'Ada')], group: [] },
          { name: 'crew', field: [] },
        ],
      },
    ],
  });
  expect(await runRule({ step: [{ script: '1' }] }, input, defaultLimits, styling)).toBeUndefined();
});

it('an instance that takes over an item goes on behind the last rule that wrote', async () => {
  const world = await opened();
  for (const name of ['a', 'b', 'c']) {
    const script = `wrapper.metadata = { timespan: [{ field: [{ name: 'x_echo', value: [{ mode: 'add', value: '${name}' }] }] }] }`;
    await setRule(world, name, rule(script));
  }
  await setField(world, 'title', 'Harbour');
  const ended = { sql: `UPDATE auto_projection_due SET done = 'a'`, args: [] };
  await world.service.store.commit({ changes: [ended], events: [] }, { user: 'test' });
  await world.service.tick();
  expect([await textOf(world, 'x_echo'), await waiting(world)]).toEqual(['b|c', 0]);
});
