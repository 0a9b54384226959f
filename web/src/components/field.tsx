import type { AllHTMLAttributes, ComponentChildren, JSX, RefObject } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  /** The refusal of this field. */
  readonly wrong?: string | undefined;
  /** Choices make it a select, `long` a text of several lines, and a child is any other control. */
  readonly options?: readonly (readonly [value: string, text: string])[];
  readonly long?: boolean;
  readonly children?: (attributes: { readonly id: string }) => ComponentChildren;
}

/** Any attribute of a control. The types of Preact tell inputs apart by `type` and `role`, which a variable has not. */
type Control = Omit<AllHTMLAttributes<HTMLInputElement>, 'label' | 'children' | 'class' | 'id'>;
type Native = JSX.IntrinsicElements['input'];

/** A labelled field. Its hint and its refusal are read with it. */
export function Field({ label, hint, wrong, options, long, children, ...control }: FieldProps & Control) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, wrong && `${id}-wrong`].filter(Boolean).join(' ') || undefined;
  const attributes = {
    ...control,
    id,
    class: 'input',
    'aria-describedby': describedBy,
    'aria-invalid': wrong ? ('true' as const) : undefined,
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children ? (
        children({ id })
      ) : options ? (
        <select {...(attributes as unknown as JSX.IntrinsicElements['select'])}>
          {options.map(([value, text]) => (
            <option key={value} value={value} selected={value === (control.value ?? control.defaultValue)}>
              {text}
            </option>
          ))}
        </select>
      ) : long ? (
        <textarea {...(attributes as unknown as JSX.IntrinsicElements['textarea'])} />
      ) : (
        <input {...(attributes as Native)} />
      )}
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {wrong && (
        <span class="wrong" id={`${id}-wrong`} role="alert">
          {wrong}
        </span>
      )}
    </div>
  );
}

export function Check({ label, ...control }: Control & { readonly label: string }) {
  return (
    <label class="check">
      <input {...({ ...control, type: 'checkbox' } as Native)} />
      <span>{label}</span>
    </label>
  );
}

interface GrowingProps {
  readonly value: string;
  readonly field?: RefObject<HTMLTextAreaElement | null>;
}

/** A text of several lines that is as high as what is in it, up to the bound of its style. */
export function Growing({
  value,
  field,
  ...control
}: GrowingProps & Control & { readonly class: string; readonly id?: string }) {
  const own = useRef<HTMLTextAreaElement>(null);
  const area = field ?? own;
  useLayoutEffect(() => {
    const { current } = area;
    if (!current) return;
    current.style.blockSize = 'auto';
    current.style.blockSize = `${current.scrollHeight + current.offsetHeight - current.clientHeight}px`;
  }, [value]);
  return <textarea {...(control as unknown as JSX.IntrinsicElements['textarea'])} ref={area} value={value} />;
}
