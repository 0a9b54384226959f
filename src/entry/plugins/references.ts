import { realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { referencedClasses } from '../../security/ini/security-ini.ts';
import { Defect } from './plugin-finding.ts';
import { packageUnit, type Unit, unitDefect } from './units.ts';

/** A class of security.ini that names a module instead of a class: `file:./realm.ts#Name`, `@scope/package#Name`. */
interface Reference {
  /** Reference as written in the file. */
  readonly text: string;
  readonly component: string | undefined;
  readonly unit: Unit;
}

interface References {
  readonly found: readonly Reference[];
  readonly failed: ReadonlyMap<string, Defect>;
}

/** `folder` is where `file:` begins; packages are looked for from `roots` upwards. */
export async function findReferences(text: string, folder: string, roots: readonly string[]): Promise<References> {
  const referenceByName = new Map<string, Reference>();
  const failed = new Map<string, Defect>();
  for (const { className } of referencedClasses(text)) {
    if (referenceByName.has(className) || failed.has(className)) continue;
    const [target, component] = split(className);
    try {
      const unit = target.startsWith('file:')
        ? await fileUnit(target, folder)
        : await packageNamed(target, roots, component !== undefined);
      if (unit) referenceByName.set(className, { text: className, component, unit });
    } catch (error) {
      failed.set(className, unitDefect(error));
    }
  }
  return { found: [...referenceByName.values()], failed };
}

function split(className: string): readonly [target: string, component: string | undefined] {
  const at = className.lastIndexOf('#');
  return at < 0 ? [className, undefined] : [className.slice(0, at), className.slice(at + 1)];
}

async function fileUnit(target: string, folder: string): Promise<Unit> {
  const path = pathOf(target, folder);
  const kind = await stat(path).catch(() => undefined);
  if (!kind) throw new Defect('plugin-missing', `there is no file ${path}`);
  if (!kind.isDirectory()) return { file: path, entry: await realpath(path) };
  const unit = await packageUnit(path, path);
  if (unit) return unit;
  throw new Defect('plugin-missing', `the folder ${path} has neither a package.json nor an index module`);
}

function pathOf(target: string, folder: string): string {
  if (!target.startsWith('file://')) return resolve(folder, target.slice('file:'.length));
  try {
    return fileURLToPath(target);
  } catch {
    throw new Defect('plugin-missing', 'a path behind "file:", or "file://" and an absolute one, was expected');
  }
}

/** Names of packages have no capitals; those of classes in a dotted notation nearly always do. */
const packageName = /^((?:@[a-z0-9~_.-]+\/)?[a-z0-9~_-][a-z0-9~_.-]*)(\/[\w./-]+)?$/;

/** Undefined: the text is probably a class name. */
async function packageNamed(target: string, roots: readonly string[], told: boolean): Promise<Unit | undefined> {
  const [, name, subpath] = packageName.exec(target) ?? [];
  if (name === undefined || subpath?.split('/').includes('..')) return undefined;
  for (const folder of new Set(roots.flatMap(upwards))) {
    const path = join(folder, 'node_modules', name);
    const unit = await unitOf(path, subpath);
    if (unit) return unit;
  }
  if (!told && !name.startsWith('@') && subpath === undefined) return undefined;
  throw new Defect('plugin-missing', `there is no package ${name} in node_modules of ${roots.join(', ')} or above`);
}

async function unitOf(path: string, subpath: string | undefined): Promise<Unit | undefined> {
  if (!(await stat(path).catch(() => undefined))?.isDirectory()) return undefined;
  const unit = await packageUnit(path, path, subpath === undefined ? '.' : `.${subpath}`);
  if (unit) return unit;
  throw new Defect('plugin-missing', `the package at ${path} has no module ${subpath ?? 'that it names as its entry'}`);
}

function upwards(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...upwards(above)];
}
