import { type Findings, quoted } from '../ini/findings.ts';
import type { IniEntry } from '../ini/scan.ts';
import type { Ini } from '../ini/sections.ts';

/** Statement of one line in `[main]`. */
type Statement =
  /** Definition: `name = class`, `name.class = class`. */
  | { readonly kind: 'define'; readonly name: string; readonly path: string; readonly entry: IniEntry }
  /** Assignment: `name.path = value`. */
  | { readonly kind: 'assign'; readonly name: string; readonly path: string; readonly entry: IniEntry }
  /** Assignment to all objects: `shiro.path = value`. */
  | { readonly kind: 'everywhere'; readonly name: string; readonly path: string; readonly entry: IniEntry };

/** Statements of `[main]`, or of the part before any section if `[main]` is missing, then of the older `[filters]`. */
export function parseStatements(ini: Ini, findings: Findings): readonly Statement[] {
  const [main, unnamed] = [ini.sections.get('main'), ini.sections.get('')];
  if (main && unnamed) {
    const message =
      'Expected every statement in a section: those before the first header are not read, because there is a [main]';
    findings.error('before-section', unnamed.entries[0]!.place, message);
  }
  const entries = [...((main ?? unnamed)?.entries ?? []), ...(ini.sections.get('filters')?.entries ?? [])];
  return entries.flatMap((entry) => {
    const statement = statementOf(entry);
    if (statement) return [statement];
    const message =
      'Expected the name of an object without blanks, commas, quotes, brackets and dollar signs, then perhaps a dot and a property';
    findings.error('object-name', entry.place, `${message}: ${quoted(entry.key)}`);
    return [];
  });
}

function statementOf(entry: IniEntry): Statement | undefined {
  const [, name, path] = /^([^.]*)(?:\.(.*))?$/s.exec(entry.key)!;
  if (!/^[^\s,"$[\]]+$/.test(name!) || path === '') return undefined;
  if (path === undefined || path === 'class') return { kind: 'define', name: name!, path: '', entry };
  return { kind: name!.toLowerCase() === 'shiro' ? 'everywhere' : 'assign', name: name!, path, entry };
}

/** The class of each object, so that the plugin loader can fetch those that name a file or a package. */
export function referencedClasses(
  ini: Ini,
  findings: Findings,
): readonly { readonly className: string; readonly entry: IniEntry }[] {
  return parseStatements(ini, findings).flatMap((statement) =>
    statement.kind === 'define' ? [{ className: statement.entry.value, entry: statement.entry }] : [],
  );
}
