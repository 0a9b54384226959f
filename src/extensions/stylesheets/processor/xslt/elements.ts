import { StylesheetFails } from '../fails.ts';
import type { Instruction } from './instruction.ts';
import { instructions } from './instructions.ts';
import { compileLiteral } from './literal.ts';
import { partNames, reachingNames } from './names.ts';
import { checkAttributes, isXsl, located, type Static } from './static.ts';

/** An instruction of XSLT, or an element of the result. */
export function compileElement(place: Static): Instruction {
  const { node } = place;
  try {
    const run = isXsl(node) ? compileXsl(place) : compileLiteral(place);
    return (at, out) => {
      at.run.budget.step();
      try {
        return run(at, out);
      } catch (error) {
        throw located(error, node);
      }
    };
  } catch (error) {
    throw located(error, node);
  }
}

function compileXsl(place: Static): Instruction {
  const { local } = place.node.name;
  const compile = instructions.get(local);
  if (compile) {
    checkAttributes(place.node);
    return compile(place);
  }
  if (reachingNames.has(local)) {
    throw new StylesheetFails('Expected a stylesheet that reads its input and writes its result alone');
  }
  if (partNames.has(local)) throw new StylesheetFails('Expected this element in the one that it is a part of');
  throw new StylesheetFails('Expected an instruction that this service carries out');
}
