import { badValue } from '../../core/documents/error.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { changing } from '../../core/store/commit-plan.ts';
import type { CommitPlan } from '../../core/store/contract.ts';
import type { TemplateNode } from './documents.ts';
import { BadTemplate, type Outline, outlineOf, scriptsOf } from './outline.ts';
import { putExportTemplate, removeTemplate, type TemplateRow } from './store.ts';

const maxScriptsLength = 64 * 1024;
const root = 'ExportTemplateDocument';
/** Name of a template that is tested without being stored. */
export const tested = 'test';

export const noSuchTemplate = (name: string): ServiceError =>
  new ServiceError('no-such-entity', { type: 'export-template', id: name.slice(0, 80) });

export function expectName(name: string): void {
  if (!/^[A-Za-z0-9_.-]{1,64}$/.test(name) || name === tested) {
    throw badValue('path', 'up to 64 letters, digits, "_", "." and "-", and another name than "test"', name);
  }
}

/** The template as its elements. Throws the refusal of one that no export could carry out. */
export function checkedOutline(template: TemplateNode): Outline {
  const outline = outlined(template);
  const length = outline.nodes.flatMap(scriptsOf).reduce((sum, [, script]) => sum + script.length, 0);
  if (length > maxScriptsLength) {
    throw badValue(`/${root}`, `scripts of at most ${maxScriptsLength} characters together`, String(length));
  }
  if (outline.nodes.some(({ kind }) => kind === 'componentfile' || kind === 'text')) return outline;
  // The unsupported element may be the one that makes files.
  if (outline.unable !== undefined) return outline;
  throw badValue(`/${root}`, 'an element "componentfile" or "text": nothing else makes a file');
}

function outlined(template: TemplateNode): Outline {
  try {
    return outlineOf(template);
  } catch (error) {
    if (error instanceof BadTemplate)
      throw badValue(error.at === '' ? `/${root}` : `/${root}/${error.at}`.replace('//', '/'), error.message);
    throw error;
  }
}

/** Error for an invalid script. `says` begins with its place in the template. */
export const unreadableScript = (says: string): ServiceError =>
  new ServiceError('bad-value', {
    context: `/${root}`,
    explanation: `Expected scripts that can be read: ${says}`.slice(0, 400),
  });

export const setTemplate = (row: TemplateRow): CommitPlan => changing(putExportTemplate(row));

export const deleteTemplate = (name: string): CommitPlan => changing(removeTemplate({ name }));
