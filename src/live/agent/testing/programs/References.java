/** Its library (agent/testing/c/references.c) makes and frees global references. */
public class References {
    static native void make(Object object);

    public static void main(String[] options) {
        System.load(options[0]);
        for (int i = 0; i < 5; i++) make(options);
        System.out.println("made");
    }
}
