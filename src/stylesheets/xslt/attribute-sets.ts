import { StylesheetFails, shown } from '../fails.ts';
import { does, type Instruction, nothing } from './instruction.ts';
import type { SheetRun } from './sheet.ts';
import type { Static } from './static.ts';

/** Makes the attributes of all sets of a list. */
export function attributeSetsOf(place: Static, list = place.attribute('use-attribute-sets')): Instruction {
  const names = (list ?? '').split(/\s+/).flatMap((name) => (name === '' ? [] : [place.name(name)]));
  for (const name of names) {
    if (!place.known.attributeSets.has(name)) {
      throw new StylesheetFails(`Expected an xsl:attribute-set of this stylesheet: found ${shown(name)}`);
    }
  }
  if (names.length === 0) return nothing;
  return does((at, out) => {
    const { sheet } = at.run as SheetRun;
    for (const name of names) {
      at.run.budget.deeper(() => {
        for (const set of sheet.attributeSets.get(name) ?? []) set(at.apart(undefined, at.around), out);
      });
    }
  });
}
