/** Columns of results that travel as base64: their shapes. */
import { z } from 'zod';
import { type BinaryColumn, type Packed, PackedColumn } from '../../base/base64.js';

/** `subject`: what the column has one value for. */
export const int8 = (subject: string, meaning: string) => packed<Int8Array>(`Int8 a ${subject}: ${meaning}`);
export const int32 = (subject: string, meaning: string) => packed<Int32Array>(`Int32 a ${subject}: ${meaning}`);
export const float64 = (subject: string, meaning: string) => packed<Float64Array>(`Float64 a ${subject}: ${meaning}`);

function packed<Values extends BinaryColumn>(description: string) {
  const isPacked = (value: unknown): boolean => typeof value === 'string' || value instanceof PackedColumn;
  return z.custom<Packed<Values>>(isPacked).meta({ type: 'string', description });
}
