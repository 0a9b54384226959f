import { StylesheetFails, shown } from '../fails.ts';
import { functionNamed } from '../functions/index.ts';
import { Node } from '../tree/node.ts';
import type { Ast, Binding, NodeTest } from './ast.ts';
import { axes, looksBack, testOf } from './axes.ts';
import { cast, castTo, isInstance, isType } from './cast.ts';
import type { Dynamic } from './dynamic.ts';
import { calculate, compareAny, compareNodes, compareOne } from './operators.ts';
import { parseExpression } from './parse.ts';
import type { Compute, StaticContext } from './static-context.ts';
import { atomOf, empty, type Item, nodeOf, onlyOf, ordered, type Sequence, textOf, truthOf } from './values.ts';

export const compileExpression = (source: string, place: StaticContext): Compute =>
  compileAst(parseExpression(source, place), place);

const one = (value: Item): Sequence => [value];
const yes: Sequence = [true];
const no: Sequence = [false];
const truth = (holds: boolean): Sequence => (holds ? yes : no);

export function compileAst(ast: Ast, place: StaticContext): Compute {
  const compile = compilers[ast.is] as (ast: Ast, place: StaticContext) => Compute;
  return compile(ast, place);
}

/** The expressions of which each of these words is one. */
type Of<Is extends Ast['is'], Each = Ast> = Each extends { readonly is: infer Own }
  ? [Is] extends [Own]
    ? Each
    : never
  : never;
type Compilers = { readonly [Is in Ast['is']]: (ast: Of<Is>, place: StaticContext) => Compute };

const both = (ast: { readonly left: Ast; readonly right: Ast }, place: StaticContext): readonly [Compute, Compute] => [
  compileAst(ast.left, place),
  compileAst(ast.right, place),
];

/** Two operands of which each is one value. */
const operand = (items: Sequence, { isOld }: StaticContext): Item | undefined =>
  onlyOf(items, isOld, 'in a calculation or comparison');

function nodesOf(items: Sequence, what: string): readonly Node[] {
  for (const item of items) nodeOf(item, what);
  return items as readonly Node[];
}

const sets =
  (join: (left: readonly Node[], right: ReadonlySet<Node>) => readonly Node[]) =>
  (ast: Of<'union' | 'intersect' | 'except'>, place: StaticContext): Compute => {
    const [left, right] = both(ast, place);
    return (at) => {
      const [first, second] = [nodesOf(left(at), `beside ${ast.is}`), nodesOf(right(at), `beside ${ast.is}`)];
      at.run.budget.step(first.length + second.length);
      return ordered(join(first, new Set(second)));
    };
  };

const nodeOrder = (ast: Of<'is' | '<<' | '>>'>, place: StaticContext): Compute => {
  const sign = ast.is as 'is' | '<<' | '>>';
  const [left, right] = both(ast, place);
  return (at) => {
    const [a, b] = [operand(left(at), place), operand(right(at), place)];
    if (a === undefined || b === undefined) return empty;
    return truth(compareNodes(nodeOf(a, `beside ${sign}`), nodeOf(b, `beside ${sign}`), sign));
  };
};

/** Calls a function for each choice of the variables, until it answers true. */
function choices(
  bindings: readonly Binding[],
  place: StaticContext,
): [(at: Dynamic, each: (at: Dynamic) => boolean) => boolean, StaticContext] {
  let inner = place;
  const compiled = bindings.map(({ name, of }) => {
    const compute = compileAst(of, inner);
    const outer = inner;
    inner = { ...outer, uriOf: outer.uriOf, knows: (asked) => asked === name || outer.knows(asked) };
    return { name, compute };
  });
  const choose = (at: Dynamic, index: number, each: (at: Dynamic) => boolean): boolean => {
    const binding = compiled[index];
    if (!binding) return each(at);
    for (const item of binding.compute(at)) {
      at.run.budget.step();
      if (choose(at.with(binding.name, [item]), index + 1, each)) return true;
    }
    return false;
  };
  return [(at, each) => choose(at, 0, each), inner];
}

const quantified =
  (wanted: boolean) =>
  (ast: Of<'some' | 'every'>, place: StaticContext): Compute => {
    const [choose, inner] = choices(ast.bindings, place);
    const answer = compileAst(ast.answer, inner);
    return (at) => truth(choose(at, (chosen) => truthOf(answer(chosen)) === wanted) === wanted);
  };

/** Items that pass all predicates. */
export function filtered(items: Sequence, predicates: readonly Compute[], at: Dynamic): Sequence {
  let left = items;
  for (const predicate of predicates) {
    const last = left.length;
    at.run.budget.step(last);
    left = left.filter((item, index) => {
      const outcome = predicate(at.at(item, index + 1, last));
      const first = outcome[0];
      return typeof first === 'number' && outcome.length === 1 ? first === index + 1 : truthOf(outcome);
    });
  }
  return left;
}

function compileStep({ axis, test, predicates }: Of<'step'>, place: StaticContext): Compute {
  const walk = axes[axis];
  const fits = testOf(test as NodeTest);
  const only = predicates.map((each) => compileAst(each, place));
  const isBack = looksBack.has(axis);
  const [first] = predicates;
  // `[1]` and the like need no look at the others.
  const index = first?.is === 'literal' && Number.isInteger(first.value) ? Number(first.value) : undefined;
  return (at) => {
    const node = at.item;
    if (!(node instanceof Node)) throw noNode(node);
    const nodes: Node[] = [];
    let visited = 1;
    walk(node, (each) => {
      visited++;
      if (fits(each)) nodes.push(each);
    });
    at.run.budget.step(visited);
    let chosen: Sequence = nodes;
    if (index === undefined) chosen = only.length === 0 ? nodes : filtered(nodes, only, at);
    else
      chosen = filtered(
        nodes.slice(index - 1, index).filter(() => index >= 1),
        only.slice(1),
        at,
      );
    return isBack && chosen.length > 1 ? ordered(chosen as readonly Node[]) : chosen;
  };
}

function noNode(item: Item | undefined): StylesheetFails {
  const actual = item === undefined ? 'nothing' : `the value ${shown(textOf(item))}`;
  return new StylesheetFails(`Expected a node where a path begins: found ${actual}`);
}

function compileSlash(ast: Of<'slash'>, place: StaticContext): Compute {
  const [left, right] = both(ast, place);
  return (at) => {
    const from = left(at);
    if (from.length === 0) return empty;
    const last = from.length;
    if (last === 1) {
      const onlyAnswer = right(at.at(nodeOf(from[0], 'ahead of a slash'), 1, 1));
      return onlyAnswer.length > 1 && onlyAnswer[0] instanceof Node
        ? ordered(nodesOf(onlyAnswer, 'in a path'))
        : onlyAnswer;
    }
    const items: Item[] = [];
    at.run.budget.step(last);
    for (let index = 0; index < last; index++) {
      const answer = right(at.at(nodeOf(from[index], 'ahead of a slash'), index + 1, last));
      for (const item of answer) items.push(item);
    }
    at.run.budget.step(items.length);
    if (!(items[0] instanceof Node)) return items;
    return ordered(nodesOf(items, 'in a path, as the others are'));
  };
}

const singleType = (ast: Of<'cast' | 'castable'>): string => {
  const { of } = ast.type;
  if (typeof of === 'string' && isType(of) && of !== 'QName') return of;
  throw new StylesheetFails('Expected a type of values behind "cast as" and "castable as"');
};

const compilers: Compilers = {
  literal: ({ value }) => {
    const values = one(value);
    return () => values;
  },
  context: () => (at) => {
    if (at.item === undefined) throw noNode(undefined);
    return one(at.item);
  },
  root: () => (at) => {
    if (!(at.item instanceof Node)) throw noNode(at.item);
    return one(at.item.root);
  },
  variable: ({ name }, place) => {
    if (!place.knows(name)) throw new StylesheetFails(`Expected a variable that is known here: found "$${name}"`);
    return (at) => at.variable(name);
  },
  sequence: ({ of }, place) => {
    const all = of.map((each) => compileAst(each, place));
    if (all.length === 1) return all[0]!;
    return (at) => {
      const items = all.flatMap((each) => each(at));
      at.run.budget.step(1 + items.length);
      return items;
    };
  },
  call: (ast, place) => functionNamed(ast, place, (given) => compileAst(given, place)),
  step: compileStep,
  filter: ({ base, predicates }, place) => {
    const from = compileAst(base, place);
    const only = predicates.map((each) => compileAst(each, place));
    return (at) => filtered(from(at), only, at);
  },
  slash: compileSlash,
  and: (ast, place) => {
    const [left, right] = both(ast, place);
    return (at) => truth(truthOf(left(at)) && truthOf(right(at)));
  },
  or: (ast, place) => {
    const [left, right] = both(ast, place);
    return (at) => truth(truthOf(left(at)) || truthOf(right(at)));
  },
  to: (ast, place) => {
    const [left, right] = both(ast, place);
    return (at) => {
      const [from, to] = [operand(left(at), place), operand(right(at), place)];
      if (from === undefined || to === undefined) return empty;
      const [begin, end] = [cast('integer', atomOf(from)) as number, cast('integer', atomOf(to)) as number];
      at.run.budget.step(Math.max(0, end - begin));
      return begin > end ? empty : Array.from({ length: end - begin + 1 }, (_each, index) => begin + index);
    };
  },
  is: nodeOrder,
  '<<': nodeOrder,
  '>>': nodeOrder,
  union: sets((left, right) => [...left, ...right]),
  intersect: sets((left, right) => left.filter((each) => right.has(each))),
  except: sets((left, right) => left.filter((each) => !right.has(each))),
  general: (ast, place) => {
    const [left, right] = both(ast, place);
    return (at) => {
      const [first, second] = [left(at), right(at)];
      at.run.budget.step();
      return truth(compareAny(first, second, ast.sign, place.isOld));
    };
  },
  value: (ast, place) => {
    const [left, right] = both(ast, place);
    return (at) => {
      const [a, b] = [operand(left(at), place), operand(right(at), place)];
      return a === undefined || b === undefined ? empty : truth(compareOne(atomOf(a), atomOf(b), ast.sign));
    };
  },
  arithmetic: (ast, place) => {
    const [left, right] = both(ast, place);
    return (at) => {
      at.run.budget.step();
      const [a, b] = [operand(left(at), place), operand(right(at), place)];
      if (a === undefined || b === undefined) return place.isOld ? one(Number.NaN) : empty;
      return one(calculate(atomOf(a), ast.sign, atomOf(b)));
    };
  },
  minus: ({ of }, place) => {
    const compute = compileAst(of, place);
    return (at) => {
      const item = operand(compute(at), place);
      if (item === undefined) return place.isOld ? one(Number.NaN) : empty;
      return one(calculate(atomOf(item), '*', -1));
    };
  },
  if: ({ test, yes: then, no: otherwise }, place) => {
    const [condition, first, second] = [test, then, otherwise].map((each) => compileAst(each, place)) as [
      Compute,
      Compute,
      Compute,
    ];
    return (at) => (truthOf(condition(at)) ? first(at) : second(at));
  },
  for: ({ bindings, answer }, place) => {
    const [choose, inner] = choices(bindings, place);
    const compute = compileAst(answer, inner);
    return (at) => {
      const items: Item[] = [];
      choose(at, (chosen) => {
        for (const item of compute(chosen)) items.push(item);
        at.run.budget.step();
        return false;
      });
      at.run.budget.step(items.length);
      return items;
    };
  },
  some: quantified(true),
  every: quantified(false),
  instance: ({ of, type }, place) => {
    const compute = compileAst(of, place);
    return (at) => truth(isInstance(compute(at), type));
  },
  treat: ({ of, type }, place) => {
    const compute = compileAst(of, place);
    return (at) => {
      const items = compute(at);
      if (isInstance(items, type)) return items;
      throw new StylesheetFails('Expected a value of the type behind "treat as"');
    };
  },
  castable: (ast, place) => {
    const compute = compileAst(ast.of, place);
    const type = singleType(ast);
    return (at) => {
      const items = compute(at);
      if (items.length !== 1) return truth(items.length === 0 && ast.type.occurs === '?');
      return truth(castTo(type, atomOf(items[0]!)) !== undefined);
    };
  },
  cast: (ast, place) => {
    const compute = compileAst(ast.of, place);
    const type = singleType(ast);
    return (at) => {
      const item = operand(compute(at), place);
      if (item !== undefined) return one(cast(type, atomOf(item)));
      if (ast.type.occurs === '?') return empty;
      throw new StylesheetFails(`Expected a value of the type xs:${type}: found nothing`);
    };
  },
};
