import { StylesheetFails, shown } from '../fails.ts';
import { does, type Instruction, nothing } from './instruction.ts';
import type { SheetRun } from './sheet.ts';
import { located, type Static } from './static.ts';

const namesIn = (place: Static, list = ''): readonly string[] =>
  list.split(/\s+/).flatMap((name) => (name === '' ? [] : [place.name(name)]));

/** Refuses sets that need themselves. */
export function checkCircles(sets: readonly Static[]): void {
  const uses = new Map<string, Static[]>();
  for (const set of sets) {
    const name = set.name(set.attribute('name')!);
    const same = uses.get(name) ?? [];
    same.push(set);
    uses.set(name, same);
  }
  const states = new Map<string, 'in work' | 'done'>();
  const check = (name: string, from: Static): void => {
    const state = states.get(name);
    if (state === 'in work') {
      const says = `Expected an xsl:attribute-set that does not need itself: found ${shown(name)}`;
      throw located(new StylesheetFails(says), from.node, 'use-attribute-sets');
    }
    if (state === 'done') return;
    states.set(name, 'in work');
    for (const set of uses.get(name) ?? []) {
      for (const other of namesIn(set, set.attribute('use-attribute-sets'))) check(other, set);
    }
    states.set(name, 'done');
  };
  for (const [name, [first]] of uses) check(name, first!);
}

/** Makes the attributes of all sets of a list. */
export function attributeSetsOf(place: Static, list = place.attribute('use-attribute-sets')): Instruction {
  const names = namesIn(place, list);
  for (const name of names) {
    if (!place.known.attributeSets.has(name)) {
      throw new StylesheetFails(`Expected an xsl:attribute-set of this stylesheet: found ${shown(name)}`);
    }
  }
  if (names.length === 0) return nothing;
  return does((at, out) => {
    const { sheet } = at.run as SheetRun;
    for (const name of names) {
      at.run.budget.step();
      at.run.budget.deeper(() => {
        for (const set of sheet.attributeSets.get(name) ?? []) set(at.apart(undefined, at.around), out);
      });
    }
  });
}
