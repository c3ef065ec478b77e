import type { ReactNode } from 'react';

interface FacetsProps {
  /** What is chosen from, such as `Health`. */
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string; readonly count?: ReactNode }[];
  readonly onChange: (value: string) => void;
}

/** The values of a filter side by side, each with how many have it: one is chosen. */
export function Facets({ label, value, options, onChange }: FacetsProps) {
  return (
    <fieldset className="facets">
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className="facet">
          <input
            type="radio"
            name={label}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label} {option.count}
        </label>
      ))}
    </fieldset>
  );
}
