import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** Compiles files one by one in one process, and tells of each in lines: number, what, and more. */
public class Compiler {
    private static final int MOST = 100;
    private static PrintWriter results;

    public static void main(String[] arguments) throws Exception {
        String release = arguments[0];
        results = new PrintWriter("results", StandardCharsets.UTF_8);
        for (int at = 1; at < arguments.length; at++) {
            String end;
            try {
                end = compile(release, Path.of(arguments[at]), at - 1) ? "compiled" : "refused";
            } catch (Throwable error) {
                end = "crashed\t" + error.getClass().getSimpleName();
            }
            results.println((at - 1) + "\t" + end);
            results.flush();
        }
        results.close();
    }

    private static boolean compile(String release, Path source, int number) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> told = new DiagnosticCollector<>();
        Path output = Files.createDirectories(source.resolveSibling("classes"));
        boolean compiled;
        try (StandardJavaFileManager files =
                compiler.getStandardFileManager(told, Locale.ROOT, StandardCharsets.UTF_8)) {
            files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(output));
            files.setLocationFromPaths(StandardLocation.CLASS_PATH, List.of());
            files.setLocationFromPaths(StandardLocation.SOURCE_PATH, List.of());
            List<String> options = List.of("--release", release, "-g", "-proc:none", "-Xlint:all");
            compiled = compiler.getTask(null, files, told, options, null,
                    files.getJavaFileObjects(source)).call();
        }
        told.getDiagnostics().stream().limit(MOST).forEach(item -> tell(item, number));
        if (compiled) {
            try (Stream<Path> made = Files.walk(output)) {
                for (Path path : (Iterable<Path>) made.filter(Files::isRegularFile)::iterator) {
                    String text = Base64.getEncoder().encodeToString(Files.readAllBytes(path));
                    results.println(number + "\tclass\t" + text);
                }
            }
        }
        return compiled;
    }

    private static void tell(Diagnostic<? extends JavaFileObject> item, int number) {
        String message = item.getMessage(Locale.ROOT).replaceAll("\\s*\\R\\s*", "; ");
        results.println(number + "\ttold\t" + item.getKind() + "\t" + item.getLineNumber() + "\t"
                + message.replace('\t', ' '));
    }
}
