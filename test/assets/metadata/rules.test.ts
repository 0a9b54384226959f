import { describe, expect, it } from 'vitest';
import type { MetadataDocumentValue, MetadataGroup } from '../../../src/assets/metadata/documents.ts';
import { changesBetween } from '../../../src/assets/metadata/merge/changes.ts';
import { stateOfText, textInSteps } from '../../../src/assets/metadata/merge/stored.ts';
import { runAtOnce } from '../../../src/core/lib/turn.ts';
import { Entity, field, textsOf, untimed, value } from './support.ts';

const refusal = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return (error as { detail?: unknown }).detail;
  }
  throw new Error('Expected a refusal');
};

const groups = (...group: readonly MetadataGroup[]): MetadataDocumentValue => ({ timespan: [{ group }] });
const groupsOf = ({ timespan = [] }: MetadataDocumentValue, start = '-INF') =>
  timespan.find((span) => span.start === start)?.group ?? [];
const segment = (title: string, more: object = {}): MetadataGroup => ({
  name: 'Segment',
  field: [field('seg_title', title)],
  ...more,
});
const firstField = ({ timespan }: MetadataDocumentValue) => timespan![0]!.field![0]!;

describe('the merge rules', () => {
  it('an invalid document changes nothing', () => {
    const item = new Entity();
    item.put(untimed(field('title', 'a')));
    const before = item.document;
    expect(
      refusal(() => item.put({ timespan: [{ field: [field('title', 'b')] }, { start: '5', end: '1' }] })),
    ).toMatchObject({ context: 'metadata', value: '1' });
    expect(item.document).toEqual(before);
  });

  it('timespans are the same when their instants are, and keep the notation that came first', () => {
    const item = new Entity();
    for (const [start, end] of [
      ['0@PAL', '50@25'],
      ['0', '2'],
      ['0@NTSC', '100@50'],
    ]) {
      item.put({ timespan: [{ start, end, field: [field('title', `${start}`)] }] });
    }
    expect(item.document.timespan).toMatchObject([{ start: '-INF' }, { start: '0@PAL', end: '50@25' }]);
    expect(textsOf(item.document, '0@PAL')).toEqual({ title: ['0@NTSC'] });
  });

  it('a field of another track is another field', () => {
    const item = new Entity();
    item.put(untimed(field('title', 'all'), { ...field('title', 'one'), track: 'A1' }));
    item.put(untimed({ ...field('title', 'two'), track: 'A1' }));
    expect(item.document.timespan![0]!.field).toMatchObject([
      { name: 'title', value: [{ value: 'all' }] },
      { name: 'title', track: 'A1', value: [{ value: 'two' }] },
    ]);
  });

  it('values of one language replace those of that language only', () => {
    const item = new Entity();
    item.put(
      untimed({ name: 'title', value: [value('Hafen', { lang: 'de' }), value('Harbour', { lang: 'en' }), value('-')] }),
    );
    item.put(untimed({ name: 'title', value: [value('Port', { lang: 'en' })] }));
    item.put(untimed({ name: 'title', value: [value('+')] }));
    expect(firstField(item.document).value).toMatchObject([
      { value: 'Hafen', lang: 'de' },
      { value: 'Port', lang: 'en' },
      { value: '+' },
    ]);
  });

  it('an equal text keeps its uuid, user, time and change set, another one is new', () => {
    const item = new Entity();
    const before = firstField(item.put(untimed(field('title', 'a', 'b')), 'ann'));
    const after = firstField(item.put(untimed(field('title', 'b', 'c')), 'ben'));
    expect(after).toMatchObject({ uuid: before.uuid, user: 'ben', change: 'VX-2' });
    expect(after.value![0]).toEqual(before.value![1]);
    expect(after.value![1]).toMatchObject({ value: 'c', user: 'ben', change: 'VX-2' });
    expect(before.value!.map(({ uuid }) => uuid)).not.toContain(after.value![1]!.uuid);
  });

  it('a document that changes nothing makes no change set', () => {
    const item = new Entity();
    const before = item.put(untimed(field('title', 'a')));
    expect(item.put(untimed(field('title', 'a')))).toEqual(before);
    expect(item.last!.changed).toBe(false);
    item.put(item.document);
    expect(item.last!.changed).toBe(false);
  });

  it('a field without a value is removed, an empty text is a value', () => {
    const item = new Entity();
    item.put(untimed(field('title', 'a'), field('x_note', 'b')));
    item.put(untimed({ name: 'title' }, field('x_note', '')));
    expect(textsOf(item.document)).toEqual({ x_note: [''] });
  });

  it('an empty timespan loses everything but system fields', () => {
    const item = new Entity();
    item.put(untimed(field('created', 'now')), 'system', true);
    item.put({
      timespan: [
        { field: [field('title', 'a')], group: [segment('x')] },
        { start: '1', end: '2', field: [field('title', 'b')] },
      ],
    });
    item.put({ timespan: [{}] });
    expect(textsOf(item.document)).toEqual({ created: ['now'] });
    expect(groupsOf(item.document)).toEqual([]);
    expect(textsOf(item.document, '1')).toEqual({ title: ['b'] });
  });

  it('the mode of a field appends values, also equal ones, or removes the field', () => {
    const item = new Entity();
    item.put(untimed(field('title', 'a')));
    item.put(untimed({ ...field('title', 'a', 'b'), mode: 'add' }));
    expect(textsOf(item.document)).toEqual({ title: ['a', 'a', 'b'] });
    item.put(untimed({ ...field('title', 'zzz'), mode: 'remove' }));
    expect(textsOf(item.document)).toEqual({});
    expect(refusal(() => item.put(untimed({ ...field('title', 'a'), mode: 'replace' })))).toMatchObject({
      id: 'title',
      value: 'replace',
    });
  });

  it('the mode of a value appends it or removes every equal one, and what is beside it is added', () => {
    const item = new Entity();
    item.put(untimed(field('title', 'a', 'b', 'a')));
    item.put(untimed({ name: 'title', value: [value('a', { mode: 'remove' }), value('c')] }));
    expect(textsOf(item.document)).toEqual({ title: ['b', 'c'] });
    item.put(untimed({ name: 'title', value: [value('b', { mode: 'remove' }), value('c', { mode: 'remove' })] }));
    expect(textsOf(item.document)).toEqual({});
  });

  it('a uuid addresses an instance in its timespan, keeps it, and must be known', () => {
    const item = new Entity();
    const [title] = item.put(untimed(field('title', 'a', 'b'))).timespan![0]!.field!;
    const [first, second] = title!.value!;
    item.put(untimed({ uuid: title!.uuid, value: [value('A', { uuid: first!.uuid })] }));
    expect(firstField(item.document).value).toMatchObject([
      { value: 'A', uuid: first!.uuid, change: 'VX-2' },
      { value: 'b', uuid: second!.uuid, change: 'VX-1' },
    ]);
    const timed = { timespan: [{ start: '1', end: '2', field: [{ uuid: title!.uuid, value: [value('x')] }] }] };
    expect(refusal(() => item.put(timed))).toMatchObject({ context: 'metadata', id: title!.uuid });
    const unknown = title!.uuid!.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
    expect(refusal(() => item.put(untimed({ uuid: unknown, value: [value('x')] })))).toMatchObject({
      type: 'metadata-entry',
      id: unknown,
    });
    item.put(untimed({ name: 'title', uuid: title!.uuid, mode: 'remove' }));
    expect(textsOf(item.document)).toEqual({});
  });

  it('a uuid of a value alone finds its field, also inside of a group', () => {
    const item = new Entity();
    const [group] = groupsOf(item.put(groups(segment('a'))));
    const uuid = group!.field![0]!.value![0]!.uuid;
    item.put(untimed({ name: 'seg_title', value: [value('b', { uuid })] }));
    expect(groupsOf(item.document)[0]!.field![0]!.value).toMatchObject([{ value: 'b', uuid }]);
  });

  it('a group merges into the only one of its name, and asks for more where there are several', () => {
    const item = new Entity();
    item.put(groups(segment('a')));
    item.put(groups({ name: 'Segment', field: [field('seg_note', 'n')] }));
    expect(groupsOf(item.document)).toMatchObject([{ field: [{ name: 'seg_title' }, { name: 'seg_note' }] }]);
    item.put(groups(segment('b', { mode: 'add' })));
    expect(refusal(() => item.put(groups(segment('c'))))).toMatchObject({ context: 'metadata', id: 'Segment' });
  });

  it('several groups of one name in one document are all made, unless there is one already', () => {
    const item = new Entity();
    item.put(groups(segment('a'), segment('b')));
    expect(groupsOf(item.document)).toHaveLength(2);
    const other = new Entity();
    other.put(groups(segment('a')));
    expect(refusal(() => other.put(groups(segment('b'), segment('c'))))).toMatchObject({ id: 'Segment' });
  });

  it('the mode of a group makes another one, or removes all of its name, or the one with the uuid', () => {
    const item = new Entity();
    item.put(groups(segment('a')));
    item.put(groups(segment('b', { mode: 'add' }), segment('c', { mode: 'add' })));
    const [, second] = groupsOf(item.document);
    item.put(groups({ uuid: second!.uuid, mode: 'remove' }));
    expect(groupsOf(item.document).map((group) => group.field![0]!.value![0]!.value)).toEqual(['a', 'c']);
    item.put(groups({ name: 'Segment', mode: 'remove' }));
    expect(groupsOf(item.document)).toEqual([]);
  });

  it('nested groups follow the same rules inside of their parent', () => {
    const item = new Entity();
    const inner = (...texts: readonly string[]) => texts.map((text) => segment(text));
    item.put(groups({ name: 'Show', group: inner('a', 'b') }));
    item.put(groups({ name: 'Show', group: [segment('c', { mode: 'add' })] }));
    expect(groupsOf(item.document)[0]!.group).toHaveLength(3);
    expect(refusal(() => item.put(groups({ name: 'Show', group: inner('d') })))).toMatchObject({ id: 'Segment' });
    item.put(groups({ name: 'Show', group: [{ name: 'Segment', mode: 'remove' }] }));
    expect(groupsOf(item.document)).toMatchObject([{ name: 'Show', group: [], field: [] }]);
  });

  it('main groups are set, left alone, and cleared by an empty one', () => {
    const item = new Entity();
    expect(item.put({ group: ['Film', 'News'] }).group).toEqual(['Film', 'News']);
    expect(item.put(untimed(field('title', 'a'))).group).toEqual(['Film', 'News']);
    expect(item.put({ group: ['Film'] }).group).toEqual(['Film']);
    expect(item.put({ group: [''] }).group).toBeUndefined();
  });

  it('system fields and computed ones are passed over, and do not make a timespan empty', () => {
    const item = new Entity();
    item.put(untimed(field('created', 'now')), 'system', true);
    item.put(untimed(field('title', 'a')));
    item.put(untimed(field('created', 'never'), field('__shape_size', '7')));
    expect(textsOf(item.document)).toEqual({ created: ['now'], title: ['a'] });
    expect(item.last!.changed).toBe(false);
  });

  it.each([
    [{ track: '1A' }, '1A'],
    [{ track: 'A0' }, 'A0'],
    [{ value: [value('a', { lang: 'no language' })] }, 'no language'],
    [{ uuid: 'VX-1' }, 'VX-1'],
  ])('a field with %j is refused', (more, found) => {
    expect(refusal(() => new Entity().put(untimed({ ...field('title', 'a'), ...more })))).toMatchObject({
      context: 'metadata',
      id: 'title',
      value: found,
    });
  });

  it('a caller who did not know a change set does not overwrite it, until somebody decides', () => {
    const item = new Entity();
    item.put(untimed(field('title', 'a'), field('x_note', 'n')), 'ann');
    item.put(untimed(field('title', 'b')), 'ann');
    const { revision } = item.document;
    expect(revision?.split(',').toSorted()).toEqual(['VX-1', 'VX-2']);
    item.put({ ...untimed(field('title', 'c'), field('x_note', 'm')), revision: 'VX-1' }, 'ben');
    const conflict = firstField(item.document);
    expect(conflict).toMatchObject({
      conflict: true,
      value: [
        { value: 'b', user: 'ann', change: 'VX-2', conflict: true },
        { value: 'c', user: 'ben', change: 'VX-3', conflict: true },
      ],
    });
    expect(textsOf(item.document)['x_note']).toEqual(['m']);
    item.put({ ...untimed(field('title', 'd')), revision: 'VX-3' }, 'ann');
    expect(firstField(item.document)).toMatchObject({ value: [{ value: 'd' }] });
    expect(firstField(item.document).conflict).toBeUndefined();
  });

  it('the revision names the change sets of what is there, and no others', () => {
    const item = new Entity();
    for (const fields of [[field('title', 'a'), field('x_note', 'n')], [field('title', 'b')], [field('title', 'c')]])
      item.put(untimed(...fields));
    expect(item.document.revision!.split(',').toSorted()).toEqual(['VX-1', 'VX-3']);
    item.put(untimed({ name: 'x_note' }));
    expect(item.document.revision).toBe('VX-3');
  });

  it('equal values are no conflict', () => {
    const item = new Entity();
    item.put(untimed(field('title', 'a')));
    item.put(untimed(field('title', 'b')));
    item.put({ ...untimed(field('title', 'b')), revision: 'VX-1' });
    expect(item.last!.changed).toBe(false);
  });
});

describe('a change set', () => {
  it('a change set tells exactly the fields whose values are others now', () => {
    const item = new Entity();
    item.put(untimed(field('title', 'a'), field('x_note', 'n'), field('x_gone', 'g')));
    const before = item.state;
    item.put({
      timespan: [
        { field: [field('title', 'a'), { name: 'x_note', value: [value('m', { lang: 'de' })] }, { name: 'x_gone' }] },
        { start: '1', end: '200@PAL', group: [segment('s')] },
      ],
    });
    const untimedSpan = { start: '-INF', end: '+INF' };
    expect(runAtOnce(changesBetween(before, item.state))).toEqual([
      { field: 'x_note', values: ['m'], language: 'de', ...untimedSpan },
      { field: 'seg_title', values: ['s'], start: '1', end: '200@PAL' },
      { field: 'x_gone', values: [], ...untimedSpan },
    ]);
  });

  it('a state is the same after it was stored', () => {
    const item = new Entity();
    item.put(untimed(field('created', 'now')), 'system', true);
    item.put({ ...groups(segment('a', { group: [segment('b')] })), group: ['Film'] });
    item.put(untimed({ name: 'title', track: 'A1', value: [value('x', { lang: 'en' }), value('y')] }));
    const { state } = item;
    const text = runAtOnce(textInSteps(state));
    expect(runAtOnce(textInSteps(stateOfText(text)))).toBe(text);
    item.state = stateOfText(text);
    const restored = item.document;
    item.state = state;
    expect(restored).toEqual(item.document);
  });
});
