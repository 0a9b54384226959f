import { createService, type Service } from '../../composition/service.ts';
import type { Settings } from '../../composition/settings.ts';
import type { CommandForm, CommandLine } from '../../room/command.ts';
import type { SecurityInput } from '../../security/ini/security-parts.ts';
import { hostPlatform } from '../host.ts';
import { logOutput } from '../output.ts';

export { CommandError } from '../../room/command.ts';

export interface CommandInput extends CommandLine {
  settings(): Settings;
}

export interface Command extends CommandForm {
  run(given: CommandInput): Promise<void> | void;
}

/** A service without a listener, for a command that works on the database beside a running server. */
export async function withService(
  settings: Settings,
  work: (service: Service) => Promise<void>,
  security?: SecurityInput,
  idBlock = 1,
): Promise<void> {
  const output = logOutput();
  const service = createService({ ...settings, idBlock }, await hostPlatform(settings, output.print), security);
  try {
    await work(service);
  } finally {
    await service.close();
    output.flush();
  }
}
