import { Box, Code, Text } from '@mantine/core';
import type { EventDescription } from '../api/records.ts';
import { fill } from '../texts/host-texts.ts';
import { VisibleText } from '../ui/visible-text.tsx';
import { catalogTexts } from './catalog-texts.ts';
import { fieldsOf, type SchemaField } from './schema-fields.ts';

/** The fields of a callback's body, those within others below them. */
export function FieldTable({ schema }: { readonly schema: EventDescription['schema'] }) {
  const { fields, isWhole } = fieldsOf(schema);
  return (
    // What scrolls must be reachable by keyboard.
    <Box className="field-scroll" role="region" aria-label={catalogTexts.fields} tabIndex={0}>
      <table className="table field-table">
        <thead>
          <tr>
            <th scope="col">{catalogTexts.field}</th>
            <th scope="col">{catalogTexts.type}</th>
            <th scope="col">{catalogTexts.about}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <FieldRow key={field.path} field={field} />
          ))}
        </tbody>
      </table>
      {!isWhole && (
        <Text size="sm" c="dimmed" p="xs">
          {catalogTexts.tooManyFields}
        </Text>
      )}
    </Box>
  );
}

function FieldRow({ field }: { readonly field: SchemaField }) {
  const { path, name, depth, type, isRequired, format, description, values, bounds } = field;
  return (
    <tr>
      <th scope="row" title={path} style={{ paddingInlineStart: `${10 + depth * 16}px` }}>
        <code className="field-name">{name}</code>
      </th>
      <td>
        <code className="field-type">{type}</code>
        <Text size="xs" c="dimmed">
          {isRequired ? catalogTexts.required : catalogTexts.optional}
        </Text>
      </td>
      <td>
        {description !== '' && (
          <Text size="sm" className="long-text">
            <VisibleText text={description} />
          </Text>
        )}
        {values.length > 0 && <Values values={values} />}
        {format !== '' && (
          <Text size="xs" c="dimmed">
            {fill(catalogTexts.format, { format })}
          </Text>
        )}
        {bounds.map(([bound, value]) => (
          <Text key={bound} size="xs" c="dimmed" className="long-text">
            {fill(catalogTexts.bound, { name: bound, value })}
          </Text>
        ))}
      </td>
    </tr>
  );
}

/** The most values that are listed. */
const MAX_VALUES = 50;

function Values({ values }: { readonly values: readonly string[] }) {
  return (
    <div className="field-values">
      {values.slice(0, MAX_VALUES).map((value) => (
        <Code key={value}>
          <VisibleText text={value} />
        </Code>
      ))}
      {values.length > MAX_VALUES && '…'}
    </div>
  );
}
