interface Permissions {
  querySync(permission: { readonly name: 'run'; readonly command: string }): { readonly state: string };
}

/** Whether this process may start the program. Deno alone asks, and permits no program that was missing when it started. */
export function isPermitted(command: string): boolean {
  const { Deno } = globalThis as unknown as { Deno?: { readonly permissions: Permissions } };
  return Deno === undefined || Deno.permissions.querySync({ name: 'run', command }).state === 'granted';
}

/** End of a sentence that says what to install. Empty where no permission is missing. */
export function permissionFor(command: string): string {
  return command === '' || isPermitted(command) ? '' : `; Deno starts it with --allow-run=${command}`;
}
