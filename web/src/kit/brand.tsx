/** The sign of the product. */
export function Brand() {
  return (
    <svg class="sign" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d="M7 25V14a9 9 0 0 1 18 0v11M12 25V14.5a4 4 0 0 1 8 0V25" />
    </svg>
  );
}
