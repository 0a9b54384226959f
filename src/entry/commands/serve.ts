import { settingTable } from '../../composition/settings.ts';
import { serve } from '../processes/serve.ts';
import type { Command } from './command.ts';

/** Sentence on a setting that many servers have their own value of. */
const sentenceOn = (name: 'port' | 'host' | 'root') => {
  const { says, fallback } = settingTable[name];
  return `${says} Without it: ${fallback}.`;
};

export const serveCommand: Command = {
  usage: 'serve [--port PORT] [--host ADDRESS] [--root FOLDER]',
  says: 'Serves the API until told to stop.',
  about: { '--port': sentenceOn('port'), '--host': sentenceOn('host'), '--root': sentenceOn('root') },
  run: ({ settings }) => serve(settings()),
};
