import { serve } from '../processes/serve.ts';
import type { Command } from './command.ts';

export const serveCommand: Command = {
  usage: 'serve',
  says: 'Serves the API until told to stop.',
  run: ({ settings }) => serve(settings()),
};
