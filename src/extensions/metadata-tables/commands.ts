import { type CsvSeparator, csvSeparators } from '../../core/lib/csv.ts';
import { ServiceError } from '../../core/lib/errors.ts';
import { printable } from '../../core/lib/messages.ts';
import { watchJob } from '../../production/ingest/public.ts';
import { type CommandContext, CommandError, type LocalFile, type RoomCommands } from '../../room/command.ts';
import type { TableImporter } from './importer.ts';

type TableCommandContext = CommandContext<{ readonly tables: TableImporter }>;

/** A function, so that a module for an edge has none of it. */
export function tableCommands(): RoomCommands<TableCommandContext> {
  const separators = Object.keys(csvSeparators);
  return {
    'import-metadata': {
      usage:
        'import-metadata FILE [--dry-run] [--key-column HEAD] [--file-names] [--field FIELD:HEAD] [--ignore HEAD] [--separator WORD] [--one-value] [--clear-empty] [--user NAME] [--no-wait]',
      says: 'Writes a table (CSV) into the metadata of its items. A running server processes the job.',
      words: ['FILE'],
      flags: ['--dry-run', '--file-names', '--one-value', '--clear-empty', '--no-wait'],
      options: ['--key-column', '--field', '--ignore', '--separator', '--user'],
      about: {
        FILE: 'A table as lists of items have it, in UTF-8: the heads of its columns, then a row for each item.',
        '--dry-run': 'Checks each row, and changes nothing.',
        '--key-column': 'The head of the column that names the items; itemId or the first one without it.',
        '--file-names': 'The names are those of files, and no ids or external ids.',
        '--field': 'The field of a column with another head: created:Date.',
        '--ignore': 'The head of a column that is not read.',
        '--separator': `One of ${separators.join(', ')}; the one that the first line has most of without it.`,
        '--one-value': 'A cell is one value. Without it, several values have "; " between.',
        '--clear-empty': 'An empty cell removes the values of the field. Without it, they stay.',
        '--user': 'The user whose rights count; admin without it.',
        '--no-wait': 'Ends when the job has begun.',
      },
      async run({ words: [file = ''], has, option }, context) {
        const { tables } = context.provides;
        const separator = option('--separator').at(-1);
        if (separator !== undefined && !separators.includes(separator)) {
          throw new CommandError(
            `Expected one of ${separators.join(', ')} in --separator: "${separator.slice(0, 80)}"`,
          );
        }
        const order = {
          user: option('--user').at(-1) ?? 'admin',
          dryRun: has('--dry-run'),
          separator: separator as CsvSeparator | undefined,
          options: {
            keyColumn: option('--key-column').at(-1),
            key: has('--file-names') ? 'filename' : 'id',
            fields: option('--field'),
            ignore: option('--ignore'),
            values: has('--one-value') ? 'one' : 'several',
            empty: has('--clear-empty') ? 'clear' : 'keep',
          },
        } as const;
        const files: LocalFile[] = [];
        for await (const each of context.localFiles(file)) files.push(each);
        const [table, other] = files;
        if (!table || other) throw new CommandError(`Expected a file with a table: "${file.slice(0, 80)}"`);
        const started = await tables.start(table.open(), order).catch((error: unknown) => {
          throw error instanceof ServiceError ? new CommandError(sentence(error)) : error;
        });
        if (has('--no-wait')) {
          context.tell(`${printable(table.name)}\tjob ${started.jobId}`);
          return;
        }
        const isFine = await watchJob(table.name, started, context);
        const { count, first } = await tables.problems(started.tableId);
        for (const { row, column, value, expected } of first) {
          const place = column === '' ? `row ${row}` : `row ${row}, ${column}`;
          context.tell(`${printable(place)}\t${expected}: "${printable(value)}"`);
        }
        if (count > first.length) context.tell(`Further problems: ${count - first.length}`);
        if (!isFine || count > 0) throw new CommandError(`Expected a table without problems: ${count}`);
      },
    },
  };
}

const sentence = ({ code, detail: { context, explanation } }: ServiceError): string =>
  [explanation ?? code, context ?? ''].filter((part) => part !== '').join(' in ');
