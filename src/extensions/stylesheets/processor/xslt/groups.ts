import { StylesheetFails } from '../fails.ts';
import type { Dynamic } from '../xpath/dynamic.ts';
import { keyOf } from '../xpath/operators.ts';
import { matchesAny } from '../xpath/pattern.ts';
import { type Atomic, atomsOf, type Item, onlyOf, type Sequence } from '../xpath/values.ts';
import { compileBody } from './body.ts';
import { does, type Instruction } from './instruction.ts';
import { compileSort } from './sort.ts';
import type { Static } from './static.ts';

interface Group {
  readonly key: Atomic | undefined;
  readonly items: Item[];
}

type Grouping = (items: Sequence, at: Dynamic) => readonly Group[];

/** Each item with where it stands in the whole. */
const focused = (items: Sequence, at: Dynamic): readonly (readonly [Item, Dynamic])[] =>
  items.map((item, index) => [item, at.focus(item, index + 1, items.length)]);

const ways: Readonly<Record<string, (place: Static, name: string) => Grouping>> = {
  'group-by': (place, name) => {
    const key = place.expression(name)!;
    return (items, at) => {
      const groups = new Map<string, Group>();
      for (const [item, focus] of focused(items, at)) {
        const seen = new Set<string>();
        for (const value of atomsOf(key(focus))) {
          const groupKey = keyOf(value);
          at.run.budget.node();
          const group = groups.get(groupKey) ?? { key: value, items: [] };
          groups.set(groupKey, group);
          if (!seen.has(groupKey)) group.items.push(item);
          seen.add(groupKey);
        }
      }
      return [...groups.values()];
    };
  },
  'group-adjacent': (place, name) => {
    const key = place.expression(name)!;
    return (items, at) => {
      const groups: Group[] = [];
      for (const [item, focus] of focused(items, at)) {
        const value = onlyOf(atomsOf(key(focus)), place.isOld, 'in group-adjacent') as Atomic | undefined;
        if (value === undefined) throw new StylesheetFails('Expected a value in group-adjacent: found nothing');
        const last = groups.at(-1);
        if (last && keyOf(last.key!) === keyOf(value)) last.items.push(item);
        else groups.push({ key: value, items: [item] });
      }
      return groups;
    };
  },
  'group-starting-with': (place, name) => {
    const starts = matchesAny(place.pattern(name)!);
    return (items, at) => {
      const groups: Group[] = [];
      for (const [item, focus] of focused(items, at)) {
        if (groups.length === 0 || starts(item, focus)) groups.push({ key: undefined, items: [] });
        groups.at(-1)!.items.push(item);
      }
      return groups;
    };
  },
  'group-ending-with': (place, name) => {
    const ends = matchesAny(place.pattern(name)!);
    return (items, at) => {
      const groups: Group[] = [];
      let isOpen = false;
      for (const [item, focus] of focused(items, at)) {
        if (!isOpen) groups.push({ key: undefined, items: [] });
        groups.at(-1)!.items.push(item);
        isOpen = !ends(item, focus);
      }
      return groups;
    };
  },
};

export function compileGroups(place: Static): Instruction {
  const select = place.expression('select')!;
  const wayNames = Object.keys(ways).filter((name) => place.attribute(name) !== undefined);
  const [name] = wayNames;
  if (name === undefined || wayNames.length > 1) {
    throw new StylesheetFails(`Expected one of ${Object.keys(ways).join(', ')}: found ${wayNames.length}`);
  }
  const grouping = ways[name]!(place, name);
  const sort = compileSort(place);
  const body = compileBody(place, 'sort');
  return does((at, out) => {
    const groups = grouping(select(at), at);
    const firsts = groups.map(({ items }) => items[0]!);
    const count = groups.length;
    const within = (index: number, position: number): Dynamic => {
      const { key, items } = groups[index]!;
      return at.focus(firsts[index], position, count).surrounded({ group: items, groupingKey: key });
    };
    const order = sort
      ? sort(firsts, at, (_item, index) => within(index, index + 1))
      : firsts.map((_item, index) => index);
    at.run.budget.step(count);
    for (const [position, index] of order.entries()) body(within(index, position + 1), out);
  });
}
