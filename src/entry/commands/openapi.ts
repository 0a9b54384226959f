import { printLine } from '../output.ts';
import type { Command } from './command.ts';
import { withService } from './session.ts';

export const openApiCommand: Command = {
  usage: 'openapi [--xsd]',
  says: 'Prints the OpenAPI document of the API; with --xsd, the XML Schema of its documents. Needs no database.',
  flags: ['--xsd'],
  about: { '--xsd': 'Prints the XML Schema instead.' },
  run: ({ has, settings }) =>
    withService({ ...settings(), database: 'memory:' }, async (service) => {
      const { openApiText, xsdText } = service.rooms.operations;
      const isXsd = has('--xsd');
      const text = new TextDecoder().decode((await (isXsd ? xsdText() : openApiText())).bytes);
      printLine(isXsd ? text.trimEnd() : JSON.stringify(JSON.parse(text), null, 2));
    }),
};
