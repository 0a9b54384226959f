import { StylesheetFails, shown } from '../fails.ts';
import { expanded, type Name, type Node } from '../tree/node.ts';
import { readTree } from '../tree/read.ts';
import { parts } from '../xpath/lexer.ts';
import { attributeSetsOf, checkCircles } from './attribute-sets.ts';
import { compileBody, compileValue } from './body.ts';
import { does, type Instruction } from './instruction.ts';
import { instructions } from './instructions.ts';
import { compileLiteral } from './literal.ts';
import { partNames, reachingNames, xslUri } from './names.ts';
import { formatOf, formOf } from './output-form.ts';
import type { Callable, Global, Key, Rule, Sheet } from './sheet.ts';
import { checkAttributes, isXsl, located, Static, type StaticNames } from './static.ts';
import { compileCallable } from './templates.ts';

/** An instruction of XSLT, or an element of the result. */
function compileElement(place: Static): Instruction {
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

const isXslText = (name: Name): boolean => name.uri === xslUri && name.local === 'text';

/** Reads a stylesheet of XSLT 2.0 or 1.0. What it has that nothing carries out is refused, with the line. */
export function readSheet(text: string): Sheet {
  const tree = readTree(text, { what: 'a stylesheet', keeps: isXslText });
  const root = tree.children.find(({ kind }) => kind === 'element');
  if (!root) throw new StylesheetFails('Expected a stylesheet: found no element');
  const isWhole = isXsl(root, 'stylesheet', 'transform');
  if (!isWhole && root.attribute('version', xslUri) === undefined) {
    throw new StylesheetFails(
      `Expected <stylesheet> of the namespace "${xslUri}": found ${shown(`<${root.name.local}>`)}`,
      root.line,
    );
  }
  const top = isWhole ? root.children.filter(({ kind }) => kind === 'element') : [];
  if (isWhole) within(root, () => checkAttributes(root));
  return new Reader(tree, root, top, isWhole).read();
}

function within<T>(node: Node, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw located(error, node);
  }
}

/** The last in a stylesheet wins among equals. */
interface PositionedNode {
  readonly rule: Rule;
  readonly index: number;
}

type TopLevel = (place: Static, index: number) => void;

class Reader {
  readonly #tree: Node;
  readonly #root: Node;
  readonly #top: readonly Node[];
  readonly #isWhole: boolean;
  readonly #globalNames = new Set<string>();
  readonly #functionNames = new Set<string>();
  readonly #templateNames = new Set<string>();
  readonly #setNames = new Set<string>();
  readonly #aliases = new Map<string, { readonly prefix: string; readonly uri: string }>();
  readonly #globals = new Map<string, Global>();
  readonly #named = new Map<string, Callable>();
  readonly #functions = new Map<string, Callable>();
  readonly #sets = new Map<string, ReturnType<typeof compileBody>[]>();
  readonly #keys = new Map<string, Key[]>();
  readonly #formats = new Map<string, ReturnType<typeof formatOf>>();
  /** By `{uri}local`, `{uri}*`, `*:local` and `*`. */
  readonly #spaces = new Map<string, { readonly keeps: boolean; readonly order: number }>();
  #spaceCount = 0;
  readonly #rules = new Map<string, PositionedNode[]>();
  #informs = false;

  constructor(tree: Node, root: Node, top: readonly Node[], isWhole: boolean) {
    this.#tree = tree;
    this.#root = root;
    this.#top = top;
    this.#isWhole = isWhole;
  }

  read(): Sheet {
    const names: StaticNames = {
      compileElement,
      globals: this.#globalNames,
      functions: this.#functionNames,
      templates: this.#templateNames,
      attributeSets: this.#setNames,
      aliases: this.#aliases,
    };
    for (const node of this.#top) within(node, () => this.#name(new Static(node, names)));
    for (const [index, node] of this.#top.entries()) within(node, () => this.#compile(new Static(node, names), index));
    checkCircles(this.#top.filter((node) => isXsl(node, 'attribute-set')).map((node) => new Static(node, names)));
    if (!this.#isWhole) this.#simple(new Static(this.#root, names));
    const outputs = this.#top.filter((node) => isXsl(node, 'output') && node.attribute('name') === undefined);
    return {
      tree: this.#tree,
      form: formOf(outputs),
      informs: this.#informs,
      named: this.#named,
      functions: this.#functions,
      globals: this.#globals,
      attributeSets: this.#sets,
      keys: this.#keys,
      formats: this.#formats,
      keeps: this.#keeps(),
      rulesFor: rulesBy(this.#rules),
    };
  }

  /** Collects names that other parts of the stylesheet refer to. Runs before they are compiled. */
  #name(place: Static): void {
    const { node } = place;
    const { local, uri } = node.name;
    if (uri !== xslUri) {
      if (uri === '') throw new StylesheetFails('Expected an element of XSLT, or of another namespace');
      this.#informs ||= local === 'vsXSLTVersion' && node.text.trim() === '2';
      return;
    }
    if (!Object.hasOwn(this.#topLevel, local)) {
      throw new StylesheetFails(
        reachingNames.has(local)
          ? 'Expected a stylesheet that is whole: it reads no other'
          : 'Expected an element that this service carries out at the top of a stylesheet',
      );
    }
    checkAttributes(node);
    const name = node.attribute('name');
    if (local === 'namespace-alias') this.#alias(place);
    if (name === undefined || local === 'output' || local === 'key' || local === 'decimal-format') return;
    const names: Readonly<Record<string, Set<string>>> = {
      variable: this.#globalNames,
      param: this.#globalNames,
      template: this.#templateNames,
      'attribute-set': this.#setNames,
      function: this.#functionNames,
    };
    const count = node.children.filter((child) => isXsl(child, 'param')).length;
    const full = local === 'function' ? `${place.name(name)}#${count}` : place.name(name);
    if (local === 'function' && !full.startsWith('{')) {
      throw new StylesheetFails(`Expected a function with a prefix: found ${shown(name)}`);
    }
    if (local !== 'attribute-set' && names[local]!.has(full)) {
      throw new StylesheetFails(`Expected one ${local} of a name: found ${shown(name)} a second time`);
    }
    names[local]!.add(full);
  }

  #alias(place: Static): void {
    const [from = '', to = ''] = ['stylesheet-prefix', 'result-prefix'].map((name) => place.attribute(name));
    const [before, after] = [from, to].map((prefix) => place.uriOf(prefix === '#default' ? '' : prefix));
    if (before === undefined || after === undefined)
      throw new StylesheetFails('Expected two prefixes that are declared');
    this.#aliases.set(before, { prefix: to === '#default' ? '' : to, uri: after });
  }

  #compile(place: Static, index: number): void {
    if (isXsl(place.node)) this.#topLevel[place.node.name.local]!(place, index);
  }

  readonly #topLevel: Readonly<Record<string, TopLevel>> = {
    template: (place, index) => this.#template(place, index),
    variable: (place) => this.#global(place, false),
    param: (place) => this.#global(place, true),
    function: (place) => {
      const callable = compileCallable(place);
      this.#functions.set(`${place.name(place.attribute('name')!)}#${callable.parameters.length}`, callable);
    },
    key: (place) => {
      const name = place.name(place.attribute('name')!);
      const use = place.expression('use') ?? undefined;
      const body = use ? undefined : compileValue(place);
      const keys = this.#keys.get(name) ?? [];
      keys.push({ match: place.pattern('match')!, use: use ?? body! });
      this.#keys.set(name, keys);
    },
    'attribute-set': (place) => {
      const name = place.name(place.attribute('name')!);
      const sets = this.#sets.get(name) ?? [];
      const [others, body] = [attributeSetsOf(place), compileBody(place)];
      sets.push(
        does((at, out) => {
          others(at, out);
          body(at, out);
        }),
      );
      this.#sets.set(name, sets);
    },
    'decimal-format': (place) => {
      const name = place.attribute('name');
      this.#formats.set(name === undefined ? '' : place.name(name), formatOf(place.node));
    },
    'strip-space': (place) => this.#space(place, false),
    'preserve-space': (place) => this.#space(place, true),
    output: () => {},
    'namespace-alias': () => {},
  };

  #global(place: Static, isParameter: boolean): void {
    const value = compileValue(place);
    this.#globals.set(place.name(place.attribute('name')!), { value, isParameter, required: place.flag('required') });
  }

  #template(place: Static, index: number): void {
    const [name, mode = '#default'] = [place.attribute('name'), place.attribute('mode')];
    const patterns = place.pattern('match');
    if (name === undefined && !patterns) throw new StylesheetFails('Expected the attribute "match" or "name"');
    const template = compileCallable(place);
    if (name !== undefined) this.#named.set(place.name(name), template);
    const priorityText = place.attribute('priority');
    const own = priorityText === undefined ? undefined : Number(priorityText);
    if (Number.isNaN(own)) throw new StylesheetFails(`Expected a number in priority: found ${shown(priorityText!)}`);
    const modes = mode
      .trim()
      .split(/\s+/)
      .map((each) => (each === '#default' ? '' : each === '#all' ? each : place.name(each)));
    for (const { matches, priority, local } of patterns ?? []) {
      for (const each of modes) this.#rule(each, { matches, priority: own ?? priority, local, template }, index);
    }
  }

  #rule(mode: string, rule: Rule, index: number): void {
    const rules = this.#rules.get(mode) ?? [];
    rules.push({ rule, index });
    this.#rules.set(mode, rules);
  }

  /** A stylesheet that is an element of the result. */
  #simple(place: Static): void {
    const body = within(place.node, () => compileLiteral(place));
    const template: Callable = { parameters: [], type: undefined, body };
    this.#rule('', { matches: ({ kind }) => kind === 'document', priority: 0, local: undefined, template }, 0);
  }

  #space(place: Static, keeps: boolean): void {
    for (const name of place
      .attribute('elements')!
      .split(/\s+/)
      .filter((each) => each !== '')) {
      const [prefix, local] = parts(name);
      const uri = prefix === '' ? place.defaultValue : prefix === '*' ? undefined : place.uriOf(prefix);
      if (uri === undefined && prefix !== '*')
        throw new StylesheetFails(`Expected a namespace for the prefix ${shown(prefix)}`);
      const key = name === '*' || uri === undefined ? name : expanded({ prefix, local, uri });
      this.#spaces.set(key, { keeps, order: ++this.#spaceCount });
    }
  }

  /** A whole name wins against a part of one, and among these the last. */
  #keeps(): Sheet['keeps'] {
    const spaces = this.#spaces;
    if (spaces.size === 0) return () => true;
    return (name) => {
      const whole = spaces.get(expanded(name));
      if (whole) return whole.keeps;
      const partly = [`{${name.uri}}*`, `*:${name.local}`, '*:*'].map((key) => spaces.get(key));
      const last = partly.reduce((best, each) => ((each?.order ?? 0) > (best?.order ?? 0) ? each : best));
      return (last ?? spaces.get('*'))?.keeps ?? true;
    };
  }
}

/** Elements find theirs by name. */
function rulesBy(rules: ReadonlyMap<string, readonly PositionedNode[]>): Sheet['rulesFor'] {
  const rulesByKey = new Map<string, readonly Rule[]>();
  const ofMode = (mode: string): readonly Rule[] =>
    [...(rules.get(mode) ?? []), ...(rules.get('#all') ?? [])]
      .sort((a, b) => b.rule.priority - a.rule.priority || b.index - a.index)
      .map(({ rule }) => rule);
  const all = new Map<string, readonly Rule[]>();
  return ({ kind, name }, mode) => {
    const local = kind === 'element' ? name.local : '';
    const key = `${mode} ${local}`;
    let matching = rulesByKey.get(key);
    if (!matching) {
      const ofAll = all.get(mode) ?? ofMode(mode);
      all.set(mode, ofAll);
      matching = ofAll.filter((rule) => rule.local === undefined || rule.local === local);
      // Names come from documents of clients, and a sheet may be kept for many of them.
      if (rulesByKey.size < 1000) rulesByKey.set(key, matching);
    }
    return matching;
  };
}
