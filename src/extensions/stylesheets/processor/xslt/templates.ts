import { StylesheetFails, shown } from '../fails.ts';
import { Node } from '../tree/node.ts';
import type { Output } from '../tree/output.ts';
import { converted } from '../xpath/cast.ts';
import type { Dynamic } from '../xpath/dynamic.ts';
import type { Item, Sequence } from '../xpath/values.ts';
import { compileBody, compileValue, itemsOf } from './body.ts';
import type { Callable, Parameter, ParameterValues, Rule, SheetRun } from './sheet.ts';
import { checkAttributes, isXsl, located, type Static } from './static.ts';

/** The parameters of an element and the instructions behind them. */
export function compileCallable(place: Static): Callable {
  let seen = place;
  const parameters = place.node.children
    .filter((child) => isXsl(child, 'param'))
    .map((child): Parameter => {
      const own = seen.within(child);
      try {
        checkAttributes(child);
        const name = own.name(child.attribute('name')!);
        const parameter = {
          name,
          defaultValue: compileValue(own),
          type: own.type(),
          required: own.flag('required'),
          tunnel: own.flag('tunnel'),
        };
        seen = seen.knowing(name);
        return parameter;
      } catch (error) {
        throw located(error, child);
      }
    });
  return { parameters, type: place.type(), body: compileBody(seen, 'param') };
}

/** Carries out a template where `at` is. */
export function invoke({ parameters, type, body }: Callable, at: Dynamic, out: Output, given: ParameterValues): void {
  at.run.budget.deeper(() => {
    let inner = at.apart(undefined, at.around);
    for (const parameter of parameters) inner = inner.with(parameter.name, valueFor(parameter, inner, given));
    if (type === undefined) body(inner, out);
    else for (const item of converted(itemsOf(body, inner), type, 'from a template')) out.item(item);
  });
}

function valueFor(
  { name, defaultValue, type, required, tunnel }: Parameter,
  at: Dynamic,
  given: ParameterValues,
): Sequence {
  const value = (tunnel ? at.around.tunnel : given)?.get(name);
  if (value !== undefined) return type === undefined ? value : converted(value, type, `for ${shown(name)}`);
  if (required) throw new StylesheetFails(`Expected a value for the parameter ${shown(name)}`);
  return defaultValue(at);
}

/** Position in the list of templates, for those with a lower precedence. */
interface Behind {
  readonly rules: readonly Rule[];
  readonly from: number;
}

/** Each item goes to the template that matches it. */
export function applyTemplates(items: Sequence, at: Dynamic, out: Output, mode: string, given: ParameterValues): void {
  const { sheet } = at.run as SheetRun;
  const moded = at.around.mode === mode ? at : at.surrounded({ mode });
  const last = items.length;
  at.run.budget.step(last);
  items.forEach((item, index) => {
    const rules = item instanceof Node ? sheet.rulesFor(item, mode) : [];
    applyRule({ rules, from: 0 }, moded.focus(item, index + 1, last), out, given);
  });
}

function applyRule({ rules, from }: Behind, at: Dynamic, out: Output, given: ParameterValues): void {
  const item = at.item!;
  for (let index = from; index < rules.length; index++) {
    const rule = rules[index]!;
    at.run.budget.step();
    if (item instanceof Node && rule.matches(item, at)) {
      const next: Behind = { rules, from: index + 1 };
      invoke(rule.template, at.surrounded({ next }), out, given);
      return;
    }
  }
  builtIn(item, at, out, given);
}

/** Built-in template rules. */
function builtIn(item: Item, at: Dynamic, out: Output, given: ParameterValues): void {
  if (!(item instanceof Node)) {
    out.item(item);
  } else if (item.kind === 'text' || item.kind === 'attribute') {
    out.text(item.value);
  } else if (item.kind === 'element' || item.kind === 'document') {
    at.run.budget.deeper(() => applyTemplates(item.children, at, out, at.around.mode ?? '', given));
  }
}

/** The next template that matches, as xsl:next-match asks for. */
export function applyNext(at: Dynamic, out: Output, given: ParameterValues): void {
  if (at.item === undefined) throw new StylesheetFails('Expected xsl:next-match where a template has an item');
  applyRule((at.around.next as Behind | undefined) ?? { rules: [], from: 0 }, at, out, given);
}

/** Built-in rules for xsl:apply-imports, since imports are not supported. */
export function applyBuiltIn(at: Dynamic, out: Output, given: ParameterValues): void {
  if (at.item !== undefined) builtIn(at.item, at, out, given);
}
