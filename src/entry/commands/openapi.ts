import { tell } from '../output.ts';
import type { Command } from './command.ts';
import { withService } from './session.ts';

export const openApiCommand: Command = {
  usage: 'openapi [--xsd]',
  says: 'Prints the OpenAPI document of the API; with --xsd, the XML Schema of its documents. Needs no database.',
  flags: ['--xsd'],
  about: { '--xsd': 'Prints the XML Schema instead.' },
  run: ({ has, settings }) =>
    withService({ ...settings(), database: 'memory:' }, async (service) => {
      const { openApi, xsd } = service.rooms.operations;
      tell(has('--xsd') ? xsd().trimEnd() : JSON.stringify(await openApi(), null, 2));
    }),
};
