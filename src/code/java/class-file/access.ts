/** Access and property flags (JVMS 4.1-B, 4.5-A, 4.6-A, 4.7.6-A …). Some bits mean different things by place. */
export const ACCESS = {
  public: 0x0001,
  private: 0x0002,
  protected: 0x0004,
  static: 0x0008,
  final: 0x0010,
  /** Classes: `super`; methods: `synchronized`. */
  synchronized: 0x0020,
  /** Methods: `bridge`; fields: `volatile`. */
  bridge: 0x0040,
  /** Methods: `varargs`; fields: `transient`. */
  varargs: 0x0080,
  native: 0x0100,
  interface: 0x0200,
  abstract: 0x0400,
  strict: 0x0800,
  synthetic: 0x1000,
  annotation: 0x2000,
  enum: 0x4000,
  /** Classes: `module`; parameters: `mandated`. */
  module: 0x8000,
} as const;
