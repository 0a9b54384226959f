import { Recent } from '../../../core/lib/cache.ts';
import { Budget, spending } from './budget.ts';
import { StylesheetFails } from './fails.ts';
import { readTree } from './tree/read.ts';
import type { Written } from './tree/write.ts';
import { readSheet } from './xslt/read-sheet.ts';
import { DocumentRun } from './xslt/run.ts';
import type { Sheet } from './xslt/sheet.ts';

/** A stylesheet and what it is applied to. */
export interface Transformation {
  readonly stylesheet: string;
  /** XML. Without it the stylesheet is checked alone. */
  readonly input?: string | undefined;
  /** Milliseconds, as its functions of time see them. */
  readonly now: number;
  readonly parameters?: Readonly<Record<string, string>>;
  /** The account that waits for it. Accounts take turns where they share a thread. */
  readonly by?: string | undefined;
}

export interface Transformed {
  readonly text: string;
  readonly method: Written['method'];
  /** The stylesheet asks for an ExportInformationDocument. */
  readonly informs: boolean;
}

const maxSheetLength = 1024 * 1024;
const maxSheets = 16;
const maxKept = 256 * 1024;
const sheets = new Recent<string, Sheet>(maxSheets);

/** Compiled stylesheet from the cache: an export applies one stylesheet to all its items. */
function sheetOf(text: string): Sheet {
  const cachedSheet = sheets.get(text, 0);
  if (cachedSheet) return cachedSheet;
  if (text.length > maxSheetLength) {
    throw new StylesheetFails(`Expected a stylesheet of at most ${maxSheetLength} characters: found ${text.length}`);
  }
  const sheet = readSheet(text);
  if (text.length <= maxKept) sheets.set(text, sheet, Number.POSITIVE_INFINITY);
  return sheet;
}

const tooDeep = 'Expected fewer levels in a stylesheet, its calls and its result: these need more stack than there is';

/** Transforms on this thread, which is blocked meanwhile. Throws StylesheetFails. */
export function transformHere({ stylesheet, input, now, parameters = {} }: Transformation): Transformed {
  const budget = new Budget();
  try {
    return spending(budget, () => {
      const sheet = sheetOf(stylesheet);
      const { informs } = sheet;
      if (input === undefined) return { text: '', method: 'xml', informs };
      const tree = readTree(input, { what: 'a document', keeps: (name) => sheet.keeps(name) });
      const run = new DocumentRun(sheet, tree, budget, now, new Map(Object.entries(parameters)));
      return { ...run.write(), informs };
    });
  } catch (error) {
    if (error instanceof RangeError) throw new StylesheetFails(tooDeep);
    throw error;
  }
}
